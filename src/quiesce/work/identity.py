"""Shell. A name for the engine that made a result: a digest of every file that decides how it plays."""

import hashlib
from functools import cache

from quiesce import __version__
from quiesce.cachekey import KERNEL_PACKAGES, PACKAGE, source_files

DIGITS = 16
"""Of a digest."""
CODE = (".py", ".pyc")


def current_digest() -> str:
    """A name for our engine as its files are now."""
    whole = hashlib.sha256(__version__.encode())
    folders = [PACKAGE / name for name in ("uci", "engine", *KERNEL_PACKAGES) if name != "train"]
    shells = {path for folder in folders for path in folder.rglob("*.py")}
    data = sorted(path for path in (PACKAGE / "eval").rglob("*") if path.is_file() and path.suffix not in CODE)
    for path in [*sorted({*source_files(), *shells}), *data]:
        whole.update(path.relative_to(PACKAGE).as_posix().encode() + b"\0" + path.read_bytes())
    return whole.hexdigest()[:DIGITS]


@cache
def sources_digest() -> str:
    """A name for our engine as it was when this process first asked: one run, one engine."""
    return current_digest()
