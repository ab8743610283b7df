"""Shell. The pool of workers that is asked for: processes of this machine, or a Dask cluster (extra `cluster`)."""

from quiesce.work.cores import cores
from quiesce.work.pool import LocalPool, WorkerPool


def worker_pool(cluster: str | None, concurrency: int = 0) -> WorkerPool:
    """Workers of the cluster at an address, or of this machine; a `concurrency` of 0 means one a core."""
    if cluster is None:
        return LocalPool(concurrency or cores())
    from quiesce.work.cluster import ClusterPool  # noqa: PLC0415  (an extra that few have)

    return ClusterPool(cluster, concurrency)
