"""Shell. The page itself: files that `make web` bundles from the sources in web/."""

from pathlib import Path

STATIC = Path(__file__).parent / "static"
NEEDED = ("index.html", "app.js", "app.css")


class BundleError(RuntimeError):
    """The page is not there; the message says how to make it."""


def check_bundle(folder: Path = STATIC) -> None:
    """Raise BundleError unless every file of the page is there."""
    missing = [name for name in NEEDED if not (folder / name).is_file()]
    if missing:
        raise BundleError(
            f"the page of the web board is not built: {', '.join(missing)} missing in {folder}; "
            "`make web` builds it in a checkout (it needs npm), a released wheel contains it"
        )
