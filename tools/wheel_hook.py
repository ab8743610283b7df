"""Build hook of hatch: no wheel without the web board's page, and compiled kernels in the wheel that is to bring them.

`QUIESCE_WHEEL` names a platform of `tools/build_native.py`, x86_64 say: the wheel then holds the libraries that were
made for it, and is for such machines alone. Without it the wheel is for everybody, and compiles on its first start.
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
            folder = Path(self.root, os.environ.get("QUIESCE_NATIVE") or NATIVE, machine)
            tag, files = self.libraries(folder)
            build_data["pure_python"] = False
            build_data["tag"] = f"py3-none-{tag}"
            build_data["force_include"] |= files

    def libraries(self, folder):
        """The platform of a machine's kernels, their files and places in the wheel; stops the build on a misfit."""
        manifests = {path: json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))}
        if {manifest["build"] for manifest in manifests.values()} != {"release", "trace"}:
            raise SystemExit(f"no kernels in {folder}: `python tools/build_native.py` makes them")
        sources = self.source_digest()
        for path, manifest in manifests.items():
            image = (folder / manifest["library"]).read_bytes()
            if manifest["sources"] != sources or manifest["sha256"] != hashlib.sha256(image).hexdigest():
                raise SystemExit(f"{path} was made from other sources: `python tools/build_native.py` makes it anew")
        names = [name for path, manifest in manifests.items() for name in (path.name, manifest["library"])]
        (tag,) = {manifest["wheel"] for manifest in manifests.values()}
        return tag, {str(folder / name): f"quiesce/native/{name}" for name in names}

    def source_digest(self):
        """What kernels of this very tree are compiled from."""
        sys.path.insert(0, str(Path(self.root, "src")))
        try:
            from quiesce import cachekey  # noqa: PLC0415  (only a wheel with kernels needs what it imports)
        finally:
            sys.path.pop(0)
        package = Path(self.root, "src", "quiesce")
        return cachekey.source_digest(package, cachekey.OBJECT_BUILDS[0])
