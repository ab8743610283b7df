"""The package's metadata, as hatch asks our hook for it."""

import json
import subprocess
import sys

from tests.docs.pages import BLOCK, ROOT

HATCHLING = (sys.executable, "-m", "hatchling", "metadata")


def test_the_description_works_on_a_package_index():
    """It has the README's text and code, and neither images nor links that only lead somewhere in a checkout."""
    done = subprocess.run(HATCHLING, cwd=ROOT, capture_output=True, text=True, check=True)
    readme = json.loads(done.stdout)["readme"]
    assert readme["content-type"] == "text/markdown"
    text, original = readme["text"], (ROOT / "README.md").read_text(encoding="utf-8")
    assert BLOCK.findall(text) == BLOCK.findall(original)
    assert "![" not in text
    assert [part for part in text.split("](")[1:] if not part.startswith("https://")] == []
    assert len(text) > len(original) / 2
