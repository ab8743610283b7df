"""Compile the shared libraries that native wheels bring: `python tools/build_native.py [FOLDER]`.

For each machine a folder, in it a library and its manifest for each build of the kernels and each level of processor.
Numba's front end works once a build, whatever the number of levels; LLVM has every target, a linker for each is named
below.
"""

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from quiesce import cachekey
from quiesce.jit.making import builders_environment

FOLDER = Path("build/native")
ELF = ("-shared", "--strip-all", "--build-id=none", "-Bsymbolic", "-z", "noexecstack", "-z", "relro", "-z", "now", "-o")
COFF = ("/dll", "/noentry", "/nodefaultlib", "/Brepro", "/machine:x64", "/dynamicbase", "/nxcompat", "/out:")
MACHO = ("-dylib", "-undefined", "dynamic_lookup", "-platform_version", "macos", "11.0", "11.0")


@dataclass(frozen=True, slots=True)
class Platform:
    """What a wheel is for: systems and processors."""

    tag: str
    """How wheels say it."""
    triple: str
    """How LLVM says it."""
    machine: str
    """How Python says it (`library.machine`)."""
    levels: tuple[str, ...]
    """Levels of processor, as LLVM calls them."""
    linkers: tuple[str, ...]
    """The first that is there is used."""
    options: tuple[str, ...]
    """Arguments of the linker; the output name follows."""
    ending: str
    """Of a library's name."""
    package: str
    """Where Debian has the linker."""


X86_64 = ("x86-64-v3", "x86-64-v2")
PLATFORMS = {
    "x86_64": Platform(
        "manylinux_2_17_x86_64", "x86_64-unknown-linux-gnu", "linux-x86_64-64", X86_64,
        ("x86_64-linux-gnu-ld", "ld"), ELF, ".so", "binutils",
    ),
    "aarch64": Platform(
        "manylinux_2_17_aarch64", "aarch64-unknown-linux-gnu", "linux-aarch64-64", ("generic",),
        ("aarch64-linux-gnu-ld",), ELF, ".so", "binutils-aarch64-linux-gnu",
    ),
    "win_amd64": Platform(
        "win_amd64", "x86_64-pc-windows-msvc", "win32-x86_64-64", X86_64,
        ("lld-link", "lld-link-14"), COFF, ".dll", "lld",
    ),
    "macos_arm64": Platform(
        "macosx_11_0_arm64", "arm64-apple-macosx11.0.0", "darwin-aarch64-64", ("apple-m1",),
        ("ld64.lld", "ld64.lld-14"), (*MACHO, "-arch", "arm64", "-o"), ".dylib", "lld",
    ),
    "macos_x86_64": Platform(
        "macosx_11_0_x86_64", "x86_64-apple-macosx11.0.0", "darwin-x86_64-64", X86_64,
        ("ld64.lld", "ld64.lld-14"), (*MACHO, "-arch", "x86_64", "-o"), ".dylib", "lld",
    ),
}  # fmt: skip
TRIED = ("x86_64", "aarch64", "win_amd64")
"""Whose libraries we have run; the hosted workflow builds and tests the others."""


def linker_of(name: str) -> str:
    """The linker of a platform; exits if there is none."""
    platform = PLATFORMS[name]
    for linker in platform.linkers:
        if shutil.which(linker):
            return linker
    wanted = " or ".join(platform.linkers)
    raise SystemExit(f"no linker for {name}: {wanted} is needed (Debian: {platform.package})")


def link(image: bytes, manifest: dict[str, Any], library: Path, name: str) -> None:
    """Link an object to a shared library, with its manifest beside it."""
    platform = PLATFORMS[name]
    unlinked = library.with_suffix(".o")
    unlinked.write_bytes(image)
    *options, last = platform.options
    result = [last + library.name] if last.endswith(":") else [last, library.name]
    words = [linker_of(name), *options, *result, unlinked.name]
    subprocess.run(words, cwd=library.parent, check=True)
    for left in (unlinked, library.with_suffix(".lib")):
        left.unlink(missing_ok=True)
    library.chmod(0o644)
    told = manifest | {
        "sha256": hashlib.sha256(library.read_bytes()).hexdigest(),
        "library": library.name,
        "wheel": platform.tag,
    }
    library.with_suffix(".json").write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


def build_here(build: str, folder: Path, machines: list[str]) -> None:
    """Compile and link the build of this process for all levels of all machines."""
    from quiesce.jit.build import Program, Target  # noqa: PLC0415  (it loads Numba, in the build's own process)

    program = Program(build)
    for name in machines:
        place, platform = folder / name, PLATFORMS[name]
        place.mkdir(parents=True, exist_ok=True)
        for level in platform.levels:
            target = Target(platform.triple, level, "", platform.machine)
            manifest, image = program.compiled_for(target)
            library = place / f"{build}-{level}{platform.ending}"
            link(image, manifest, library, name)
            print(f"{library}: {library.stat().st_size:,} bytes")


def main() -> None:
    """Have a process for each build, side by side."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    parser.add_argument("--machine", action="append", choices=PLATFORMS, help="only this one; may be repeated")
    parser.add_argument("--build", choices=cachekey.OBJECT_BUILDS, help=argparse.SUPPRESS)
    given = parser.parse_args()
    machines = given.machine or list(TRIED)
    if given.build:
        build_here(given.build, given.folder, machines)
        return
    for machine in machines:
        linker_of(machine)
        shutil.rmtree(given.folder / machine, ignore_errors=True)
    running = [
        subprocess.Popen(
            [sys.executable, __file__, *sys.argv[1:], "--build", build], env=os.environ | builders_environment(build)
        )
        for build in cachekey.OBJECT_BUILDS
    ]
    if any([process.wait() for process in running]):  # noqa: C419  (each is waited for)
        raise SystemExit("the libraries could not be built")


if __name__ == "__main__":
    main()
