"""Shell. The process that compiles: `python -m quiesce.jit.builder BUILD FOLDER`, started by `making.py`."""

import gc
import json
import os
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

import filelock

from quiesce import cachekey
from quiesce.jit import build, library, making

LOW_PRIORITY = 19


def give_way() -> None:
    """Lower our priority when the process that started us has ended."""
    while os.read(0, 1024):
        pass
    if hasattr(os, "setpriority"):
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, os.getpid(), LOW_PRIORITY)


def write(path: Path, data: bytes) -> None:
    """Put a file in its place, whole or not at all."""
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        draft.write_bytes(data)
        draft.replace(path)
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)


def keep(folder: Path, manifest: dict[str, Any], image: bytes) -> None:
    """Write an object and then its manifest; if they cannot be kept, send them to the process that started us."""
    told = json.dumps(manifest)
    try:
        write(folder / library.OBJECT, image)
        write(folder / cachekey.MANIFEST, told.encode())
    except OSError as error:
        with suppress(OSError):
            sys.stderr.write(f"quiesce: compiled code cannot be kept, the next start will compile again: {error}\n")
            sys.stdout.buffer.write(told.encode() + b"\n" + image)
            sys.stdout.buffer.flush()


def main() -> None:
    """Compile a build into a folder, unless another process is doing so."""
    name, folder = sys.argv[1], Path(sys.argv[2])
    lock = filelock.FileLock(folder / making.LOCK)
    try:
        lock.acquire(timeout=0)
    except filelock.Timeout:
        return
    except OSError:  # a full disk: compile all the same
        pass
    threading.Thread(target=give_way, daemon=True).start()
    gc.disable()

    def tell(done: int, total: int, what: str) -> None:
        with suppress(OSError):
            write(folder / making.PROGRESS, f"{done} {total} {what}".encode())

    try:
        if not making.is_kept(name):
            target = build.Target.of_this_machine()
            manifest, image = build.Program(name, tell).compiled_for(target)
            keep(folder, manifest, image)
    finally:
        with suppress(OSError):
            (folder / making.PROGRESS).unlink(missing_ok=True)
        lock.release()


if __name__ == "__main__":
    main()
