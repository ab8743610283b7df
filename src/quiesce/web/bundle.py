"""Shell. The files of the web page, which `make web` builds from web/."""

from pathlib import Path

STATIC = Path(__file__).parent / "static"
NEEDED = ("index.html", "app.js", "app.css")


class BundleError(RuntimeError):
    """The page is missing; the message says how to build it."""


def check_bundle(folder: Path = STATIC) -> None:
    """Raise BundleError unless all files of the page exist."""
    missing = [name for name in NEEDED if not (folder / name).is_file()]
    if missing:
        raise BundleError(
            f"the page of the web board is not built: {', '.join(missing)} missing in {folder}; "
            "`make web` builds it in a checkout (it needs npm), a released wheel contains it"
        )
