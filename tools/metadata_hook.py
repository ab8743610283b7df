"""Metadata hook of hatch: a wheel that brings compiled kernels needs no Numba; everything else does.

`QUIESCE_WHEEL` names the machine whose kernels a wheel brings. No environment marker could tell such a wheel from a
checkout.
"""

import os

from hatchling.metadata.plugin.interface import MetadataHookInterface


class MetadataHook(MetadataHookInterface):
    """Says what is installed along with the package."""

    def update(self, metadata):
        """Set the dependencies."""
        kind = "compiled" if os.environ.get("QUIESCE_WHEEL") else "compiling"
        metadata["dependencies"] = [*self.config["always"], *self.config[kind]]
