"""Shell. Settings of the server. Loads no kernels."""

from dataclasses import dataclass

from quiesce.work.cores import cores

DEFAULT_HOST, DEFAULT_PORT = "127.0.0.1", 8337
DEFAULT_MEGABYTES = 32
MOST_ENGINES = 8
"""Most engines by default."""


@dataclass(frozen=True, slots=True)
class ServerPlan:
    """Settings of the server."""

    host: str = DEFAULT_HOST
    port: int = DEFAULT_PORT
    engines: int = 0
    """Number of engines; 0 for one per core."""
    megabytes: int = DEFAULT_MEGABYTES
    names: tuple[str, ...] = ()
    """Host names that are accepted besides addresses and localhost."""
    syzygy: str = ""
    """Folders with Syzygy tables, separated as the system separates paths; empty for none."""

    @property
    def engine_count(self) -> int:
        """Number of engines to start."""
        return self.engines or min(cores(), MOST_ENGINES)
