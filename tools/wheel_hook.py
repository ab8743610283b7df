"""Build hook of hatch: a wheel without the web board's page is no wheel."""

from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PAGE = Path("src/quiesce/web/static/index.html")
EDITABLE = "editable"


class WheelHook(BuildHookInterface):
    """Looks for the page before a wheel is built; an editable install may do without."""

    def initialize(self, version, build_data):  # noqa: ARG002  (hatch calls it so)
        """Stop the build if the page is missing."""
        if version != EDITABLE and not Path(self.root, PAGE).is_file():
            raise SystemExit(
                f"no wheel without the web board's page: {PAGE} is missing; `make web` makes it (needs npm)"
            )
