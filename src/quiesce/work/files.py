"""Shell. Files that are there whole or not at all, whatever happens while they are written, and by one at a time."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

import filelock

READABLE = 0o666
"""The permissions of a new file before the user's mask."""

LOCK_SECONDS = 0.2
"""To try again for, if the lock was just being freed."""


@contextmanager
def written_whole(path: Path) -> Iterator[IO[bytes]]:
    """A file to write to that takes its name when all is written, and leaves nothing if it is not."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False)  # noqa: SIM115
    try:
        with part:
            yield part
            part.flush()
            os.fsync(part.fileno())
    except BaseException:
        Path(part.name).unlink()
        raise
    Path(part.name).chmod(READABLE & ~umask())
    Path(part.name).replace(path)


@contextmanager
def only_one(path: Path, trouble: Exception) -> Iterator[None]:
    """Lock a path for one process; a second one gets `trouble` raised.

    The lock file is removed, if the system can remove open files, while the lock is held: after that it might belong to
    the next process. A process that locks a removed file is told by `filelock` to try again.
    """
    lock = filelock.FileLock(f"{path}.lock")
    try:
        lock.acquire(timeout=LOCK_SECONDS, poll_interval=LOCK_SECONDS / 10)
    except filelock.Timeout:
        raise trouble from None
    try:
        yield
    finally:
        with suppress(PermissionError):  # Windows
            Path(lock.lock_file).unlink(missing_ok=True)
        lock.release()


def umask() -> int:
    """What the user takes away from the permissions of new files."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
