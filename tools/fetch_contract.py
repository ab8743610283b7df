"""Download python-chess's source package; its engine tests and examples are a contract for our API.

Run by `make contract`; tests/contract runs what it finds in build/contract. Nothing of it is committed.
"""

import shutil
import subprocess
import sys
import tarfile
import tempfile
from importlib.metadata import version
from pathlib import Path

FOLDER = Path(__file__).parent.parent / "build" / "contract"
WANTED = ("test.py", "docs/engine.rst")


def main() -> None:
    """Download the sdist of the version installed here, and keep the two files that say how engines are used."""
    wanted = f"chess=={version('chess')}"
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([*pip, "download", "--no-deps", "--no-binary", "chess", "--dest", folder, wanted], check=True)
        (package,) = Path(folder).glob("chess-*.tar.gz")
        with tarfile.open(package) as archive:
            archive.extractall(folder, filter="data")
        source = Path(folder) / package.name.removesuffix(".tar.gz")
        for name in WANTED:
            target = FOLDER / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source / name, target)
    print(f"{wanted}: {', '.join(WANTED)} in {FOLDER.relative_to(FOLDER.parent.parent)}")


if __name__ == "__main__":
    main()
