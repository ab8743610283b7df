"""Shell. Files that are there whole or not at all, whatever happens while they are written."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

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


def umask() -> int:
    """What the user takes away from the permissions of new files."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
