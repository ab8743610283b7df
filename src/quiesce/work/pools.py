"""Shell. Which crew does the work: processes of this machine, or a Dask cluster (extra `cluster`)."""

from quiesce.work.pool import Crew, LocalCrew, cores


def crew_of(cluster: str | None, concurrency: int = 0) -> Crew:
    """The crew of an address, or of this machine; 0 at once stands for as many as there are cores."""
    if cluster is None:
        return LocalCrew(concurrency or cores())
    from quiesce.work.cluster import ClusterCrew  # noqa: PLC0415  (an extra that few have)

    return ClusterCrew(cluster, concurrency)
