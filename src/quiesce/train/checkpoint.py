"""Shell. Checkpoints: what a training has come to, in a file that is whole or not there, taken up by the same only."""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from quiesce.eval.netfile import write_whole
from quiesce.train.settings import OPTIONS, RENAMED, Settings, TrainError

DIGEST_BYTES = hashlib.sha256().digest_size


def keep_bytes(path: Path, magic: bytes, data: bytes) -> None:
    """Write a checkpoint, whole or not at all."""
    write_whole(path, magic + hashlib.sha256(data).digest() + data)


def kept_bytes(path: Path, magic: bytes) -> bytes:
    """What a checkpoint holds, if it is one of this trainer and undamaged."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise TrainError(f"{path}: {error.strerror}") from None
    if not data.startswith(magic):
        raise TrainError(f"{path}: not a checkpoint of this version and trainer")
    start = len(magic) + DIGEST_BYTES
    digest, found = data[len(magic) : start], data[start:]
    if hashlib.sha256(found).digest() != digest:
        raise TrainError(f"{path}: cut short or damaged")
    return found


def check_same(path: Path, facts: Mapping[str, Any], settings: Settings, digests: Mapping[str, str]) -> None:
    """Refuse a checkpoint of other settings or other data; an option it does not know had its default."""
    defaults = {item.name: item.default for item in OPTIONS}
    kept = {RENAMED.get(name, name): value for name, value in facts["settings"].items()}
    for name, value in settings.deciding().items():
        found = kept.get(name, defaults[name])
        if found != value:
            raise TrainError(f"{path}: it was begun with {name} {found}, not {value}")
    if list(facts["data"]) != list(digests):
        raise TrainError(f"{path}: it was begun with other data")
