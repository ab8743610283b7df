"""Metadata hook of hatch: dependencies, and the description for a package index.

A wheel with compiled kernels (`QUIESCE_WHEEL` names their machine) needs no Numba; all else does. No environment marker
could express this.
"""

import os
import re
from pathlib import Path

from hatchling.metadata.plugin.interface import MetadataHookInterface

IMAGES = re.compile(r"^(?:\|[^\n]*\n)*\|[^\n]*!\[[^\n]*\n\n", re.MULTILINE)
"""A table whose last row has images."""
LINK = r"\[([^\]]+)\]\((?!https?:)[^)]+\)"
"""A link into the checkout."""
ASIDE = re.compile(rf"\s\({LINK}(?:,\s{LINK})*\)")
"""Brackets with nothing but such links."""
LINKS = re.compile(r"^## Links\n.*?(?=^Licence)", re.MULTILINE | re.DOTALL)
"""The section of them."""


class MetadataHook(MetadataHookInterface):
    """Sets the dependencies and the description."""

    def update(self, metadata):
        """Set both."""
        kind = "compiled" if os.environ.get("QUIESCE_WHEEL") else "compiling"
        metadata["dependencies"] = [*self.config["always"], *self.config[kind]]
        readme = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": description(readme)}


def description(readme):
    """The README without images and links into the checkout, which work only beside it."""
    for part in (IMAGES, ASIDE, LINKS):
        readme = part.sub("", readme)
    return re.sub(LINK, r"\1", readme)
