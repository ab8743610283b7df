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
from pathlib import Path
from typing import Any

from quiesce import cachekey
from quiesce.jit.making import builders_environment

FOLDER = Path("build/native")
LEVELS = {"x86_64": ("x86-64-v3", "x86-64-v2"), "aarch64": ("generic",)}
"""Levels of processor for each machine, as LLVM calls them."""
LINKERS = {"x86_64": ("x86_64-linux-gnu-ld", "ld"), "aarch64": ("aarch64-linux-gnu-ld",)}
"""Linkers for each machine, the first that is there is used. On Debian: binutils, binutils-aarch64-linux-gnu."""
LINKED = ("-shared", "--strip-all", "--build-id=none", "-Bsymbolic", "-z", "noexecstack", "-z", "relro", "-z", "now")


def linker_of(machine: str) -> str:
    """The linker for a machine; ends the program if there is none."""
    for name in LINKERS[machine]:
        if shutil.which(name):
            return name
    raise SystemExit(f"no linker for {machine}: {' or '.join(LINKERS[machine])} is needed (Debian: binutils)")


def link(image: bytes, manifest: dict[str, Any], library: Path, machine: str) -> None:
    """Make a shared library of an object, its manifest beside it."""
    unlinked = library.with_suffix(".o")
    unlinked.write_bytes(image)
    subprocess.run([linker_of(machine), *LINKED, "-o", library.name, unlinked.name], cwd=library.parent, check=True)
    unlinked.unlink()
    library.chmod(0o644)
    told = manifest | {"sha256": hashlib.sha256(library.read_bytes()).hexdigest()}
    library.with_suffix(".json").write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


def build_here(build: str, folder: Path, machines: list[str]) -> None:
    """Compile and link one build, the one of this process, for all levels of all machines."""
    from quiesce.jit.build import Program, Target  # noqa: PLC0415  (it loads Numba, in the build's own process)

    program = Program(build)
    for machine in machines:
        place = folder / machine
        place.mkdir(parents=True, exist_ok=True)
        for level in LEVELS[machine]:
            target = Target(f"{machine}-unknown-linux-gnu", level, "", f"linux-{machine}-64")
            manifest, image = program.compiled_for(target)
            library = place / f"{build}-{level}.so"
            link(image, manifest, library, machine)
            print(f"{library}: {library.stat().st_size:,} bytes")


def main() -> None:
    """Have a process for each build, side by side."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    parser.add_argument("--machine", action="append", choices=LEVELS, help="only this one; may be repeated")
    parser.add_argument("--build", choices=cachekey.OBJECT_BUILDS, help=argparse.SUPPRESS)
    given = parser.parse_args()
    machines = given.machine or list(LEVELS)
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
