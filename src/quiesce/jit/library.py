"""Shell. Finds the object that holds this build's kernels, looks whether it fits, and loads it.

A wheel brings shared libraries, one for each level of processor, which the system's loader takes: nothing else is
needed. An object compiled on this machine is loaded by llvmlite, which is there wherever something was compiled; a
linker may not be.
"""

import ctypes
import hashlib
import importlib
import json
import platform
import sys
import sysconfig
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from quiesce import cachekey
from quiesce.jit.entries import Entry

FORMAT = 1
"""Which form of manifest this is; another is not read."""
SHIPPED = cachekey.PACKAGE / "native"
"""Where a wheel has its libraries."""
OBJECT = "kernels.o"
LEVELS = {"x86-64-v3": "X86_V3", "x86-64-v2": "X86_V2", "apple-m1": "", "generic": ""}
"""Levels of processors, the best first, and NumPy's word for them; it asks the processor itself, not the system."""
MACHINES = {"amd64": "x86_64", "arm64": "aarch64"}
"""What systems call the same machine."""


class MisfitError(RuntimeError):
    """An object that is not for these sources, this processor or this system; the message says why."""


@dataclass(frozen=True, slots=True)
class Kernels:
    """A loaded object: its manifest, and the addresses of what it holds."""

    manifest: dict[str, Any]
    addresses: dict[str, int]
    owner: Any
    where: Path | None
    why: str

    def entry(self, item: Entry) -> tuple[int, str]:
        """An entry's address, and what its result is; raises MisfitError where its arguments are others."""
        row = self.manifest["entries"].get(item.name)
        if row is None:
            raise MisfitError(f"{self.where} has no {item.name}")
        if row["arguments"] != item.kinds:
            raise MisfitError(f"{item.name} takes {row['arguments']} in {self.where}, here {item.kinds}")
        return self.addresses[item.name], row["result"]


@cache
def has_numba() -> bool:
    """Is Numba installed, and the llvmlite it needs?"""
    return find_spec("numba") is not None and find_spec("llvmlite") is not None


@cache
def source_digest() -> str:
    """What objects are compiled from, as it is now; read once."""
    return cachekey.source_digest(build=cachekey.OBJECT_BUILDS[0])


def check(manifest: dict[str, Any], image: bytes, build: str) -> None:
    """Raise MisfitError unless an object is whole, of this build, and made from these very sources."""
    if manifest.get("format") != FORMAT or manifest.get("build") != build:
        raise MisfitError("the compiled kernels are of another form or build")
    if hashlib.sha256(image).hexdigest() != manifest.get("sha256"):
        raise MisfitError("the compiled kernels are damaged")
    if manifest.get("sources") != source_digest():
        raise MisfitError("the sources of kernels were edited since they were compiled")


def processor_has(level: str) -> bool:
    """May code for a level of processors run here?"""
    if not LEVELS[level]:
        return True
    core = importlib.import_module("numpy._core._multiarray_umath")  # there is no public way
    return bool(getattr(core, "__cpu_features__", {}).get(LEVELS[level], False))


def machine() -> str:
    """System and processor of this process, as manifests tell them."""
    if sys.platform == "win32":  # what runs is asked for, not the processor: an x86-64 Python runs on ARM too
        name = sysconfig.get_platform().partition("-")[2]
    else:
        name = platform.machine().lower()
    return f"{sys.platform}-{MACHINES.get(name, name)}-{ctypes.sizeof(ctypes.c_void_p) * 8}"


def shipped(build: str) -> tuple[Path, dict[str, Any], bytes]:
    """The best library of the wheel for this processor; raises MisfitError if none fits."""
    if not SHIPPED.is_dir():
        raise MisfitError("this installation brought no compiled kernels")
    for level in LEVELS:
        path = SHIPPED / f"{build}-{level}.json"
        if path.is_file():
            manifest = json.loads(path.read_text(encoding="utf-8"))
            if manifest["machine"] == machine() and processor_has(level):
                place = path.with_name(manifest["library"])
                image = place.read_bytes()
                check(manifest, image, build)
                return place, manifest, image
    raise MisfitError("the compiled kernels of this installation are for other processors")


def kept(build: str) -> tuple[Path, dict[str, Any], bytes]:
    """What was compiled on this machine before; raises MisfitError if nothing was, or it is damaged."""
    if not has_numba():
        raise MisfitError("nothing can be compiled here without Numba")
    folder = cachekey.folder(build)
    try:
        manifest = json.loads((folder / cachekey.MANIFEST).read_text(encoding="utf-8"))
        image = (folder / OBJECT).read_bytes()
    except FileNotFoundError:
        raise MisfitError("nothing was compiled here yet") from None
    except (OSError, ValueError) as error:
        raise MisfitError(f"the compiled kernels in {folder} are damaged") from error
    check(manifest, image, build)
    return folder / OBJECT, manifest, image


def load_library(path: Path, manifest: dict[str, Any]) -> tuple[Any, dict[str, int]]:
    """Have the system load a shared library by its whole path; raises MisfitError if it refuses."""
    rows = manifest["entries"].items()
    try:
        owner = ctypes.CDLL(str(path.resolve()))
        return owner, {name: ctypes.cast(owner[row["symbol"]], ctypes.c_void_p).value or 0 for name, row in rows}
    except (OSError, AttributeError) as error:
        raise MisfitError(f"the system refuses the compiled kernels of this installation ({error})") from None


def load_object(image: bytes, manifest: dict[str, Any]) -> tuple[Any, dict[str, int]]:
    """Have llvmlite load an object that is not linked."""
    from llvmlite import binding  # noqa: PLC0415  (where a wheel's library fits it is not needed)

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    target = binding.Target.from_default_triple().create_target_machine()
    engine = binding.create_mcjit_compiler(binding.parse_assembly(""), target)
    engine.add_object_file(binding.ObjectFileRef.from_data(image))
    engine.finalize_object()
    rows = manifest["entries"].items()
    return engine, {name: engine.get_function_address(row["symbol"]) for name, row in rows}


def from_wheel() -> Kernels:
    """The kernels that the installation brought."""
    path, manifest, _ = shipped(cachekey.BUILD)
    owner, addresses = load_library(path, manifest)
    return Kernels(manifest, addresses, owner, path, "compiled ahead")


def from_cache(why: str) -> Kernels:
    """The kernels that were compiled on this machine."""
    path, manifest, image = kept(cachekey.BUILD)
    owner, addresses = load_object(image, manifest)
    return Kernels(manifest, addresses, owner, path, f"compiled here, for {why}")


def from_image(manifest: dict[str, Any], image: bytes) -> Kernels:
    """Kernels that could not be kept anywhere."""
    owner, addresses = load_object(image, manifest)
    return Kernels(manifest, addresses, owner, None, "compiled for this process, for they cannot be kept")


def found(build: str = cachekey.BUILD) -> tuple[Path, dict[str, Any], str] | None:
    """Where a build's object lies, its manifest and why it is that one; None if it must be compiled first."""
    try:
        path, manifest, _ = shipped(build)
        load_library(path, manifest)
    except MisfitError as error:
        why = f"compiled here, for {error}"
    else:
        return path, manifest, "compiled ahead"
    try:
        path, manifest, _ = kept(build)
    except MisfitError:
        return None
    return path, manifest, why


def description() -> str:
    """Which kernels run here and why, in one line."""
    if cachekey.LIVE:
        return "compiled by Numba one by one in this process, as a switch in the environment asks"
    here = found()
    if here is None:
        return "none yet: the first start compiles them"
    path, manifest, why = here
    return f"{manifest['processor']}, {why}: {path}"
