"""Shell. Files named by a user: read whole if they are regular files of a sensible size, else refused at once.

A device gives bytes without end, and who opens a pipe may wait for ever; so what a file is is asked before it is read.
What is wrong is an OSError, whose `strerror` says it without the file's name.
"""

import errno
import json
import os
import stat
from pathlib import Path
from typing import Any

KINDS = (
    (stat.S_ISDIR, "a directory, not a file"),
    (stat.S_ISFIFO, "a pipe, not a regular file"),
    (stat.S_ISSOCK, "a socket, not a regular file"),
)


class UnreadableFileError(OSError):
    """A file that is not read, though the system would; `strerror` says why."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(errno.EINVAL, reason, str(path))


def regular_file(path: Path) -> os.stat_result:
    """What the system knows of a regular file; raises OSError for any other and for none."""
    try:
        state = path.stat()
    except ValueError:
        raise UnreadableFileError(path, "no file can have this name") from None
    if not stat.S_ISREG(state.st_mode):
        reason = next((words for is_such, words in KINDS if is_such(state.st_mode)), "a device, not a regular file")
        raise UnreadableFileError(path, reason)
    return state


def read_bytes(path: Path, largest: int) -> bytes:
    """The bytes of a regular file; raises OSError for any other, for none, and for more than `largest` bytes."""
    regular_file(path)
    with path.open("rb") as file:
        data = file.read(largest + 1)
    if len(data) > largest:
        raise UnreadableFileError(path, f"larger than {largest:,} bytes")
    return data


def read_text(path: Path, largest: int) -> str:
    """The text of a regular file in UTF-8, its byte order mark left out; raises OSError as `read_bytes` does."""
    try:
        return read_bytes(path, largest).decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        raise UnreadableFileError(path, f"not a text file in UTF-8 (byte {error.start} is invalid)") from None


def read_json(text: str | bytes) -> Any:
    """The value of a JSON text; raises ValueError if it is not JSON or nested too deeply."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("JSON nested too deeply") from None
