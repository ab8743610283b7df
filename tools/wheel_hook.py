"""Build hook of hatch: no wheel without the web board's page, and compiled kernels in the wheel that is to bring them.

`QUIESCE_WHEEL` names a machine, x86_64 say: the wheel then holds the libraries that `tools/build_native.py` made for
it, and is for Linux on such machines alone. Without it the wheel is for everybody, and compiles on its first start.
"""

import hashlib
import json
import os
import sys
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PAGE = Path("src/quiesce/web/static/index.html")
EDITABLE = "editable"
NATIVE = Path("build/native")


class WheelHook(BuildHookInterface):
    """Looks for the page before a wheel is built (an editable install may do without), and adds kernels."""

    def initialize(self, version, build_data):
        """Stop the build if something is missing or out of date."""
        if version != EDITABLE and not Path(self.root, PAGE).is_file():
            raise SystemExit(
                f"no wheel without the web board's page: {PAGE} is missing; `make web` makes it (needs npm)"
            )
        machine = os.environ.get("QUIESCE_WHEEL")
        if machine and version != EDITABLE:
            build_data["pure_python"] = False
            build_data["tag"] = f"py3-none-manylinux_2_17_{machine}"
            build_data["force_include"] |= self.libraries(
                Path(self.root, os.environ.get("QUIESCE_NATIVE") or NATIVE, machine)
            )

    def libraries(self, folder):
        """The files of a machine's kernels and their places in the wheel; stops the build if they do not fit."""
        manifests = sorted(folder.glob("*.json"))
        if {path.name.partition("-")[0] for path in manifests} != {"release", "trace"}:
            raise SystemExit(f"no kernels in {folder}: `python tools/build_native.py` makes them")
        sources = self.source_digest()
        for path in manifests:
            manifest = json.loads(path.read_text(encoding="utf-8"))
            image = path.with_suffix(".so").read_bytes()
            if manifest["sources"] != sources or manifest["sha256"] != hashlib.sha256(image).hexdigest():
                raise SystemExit(f"{path} was made from other sources: `python tools/build_native.py` makes it anew")
        found = [file for path in manifests for file in (path, path.with_suffix(".so"))]
        return {str(path): f"quiesce/native/{path.name}" for path in found}

    def source_digest(self):
        """What kernels of this very tree are compiled from."""
        sys.path.insert(0, str(Path(self.root, "src")))
        try:
            from quiesce import cachekey  # noqa: PLC0415  (only a wheel with kernels needs what it imports)
        finally:
            sys.path.pop(0)
        package = Path(self.root, "src", "quiesce")
        return cachekey.source_digest(package, cachekey.OBJECT_BUILDS[0])
