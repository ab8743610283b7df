"""Shell. Files that are there whole or not at all, whatever happens while they are written, and by one at a time."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import filelock

READABLE = 0o666
"""The permissions of a new file before the user's mask."""


@contextmanager
def written_whole(path: Path) -> Iterator[IO[bytes]]:
    """A file to write to that takes its name when all is written, and leaves nothing if it is not."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as part:
        try:
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
    """One process at a time works on what has this path; to a second one `trouble` is raised. No lock file remains."""
    lock = filelock.FileLock(f"{path}.lock")
    try:
        lock.acquire(timeout=0)
    except filelock.Timeout:
        raise trouble from None
    try:
        yield
    finally:
        lock.release()
        Path(lock.lock_file).unlink(missing_ok=True)


def umask() -> int:
    """What the user takes away from the permissions of new files."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
