"""The pages are built without a warning, and a link that leads nowhere is one; pictures are small and used."""

import shutil

import pytest

from tests.conftest import run_python

from .pages import PAGES, ROOT

pytest.importorskip("myst_parser", reason="THE EXTRA `docs` IS NOT INSTALLED: pages are not built")
LARGEST_SVG = 40_000
TEXTS = {page: page.read_text(encoding="utf-8") for page in PAGES}


def build(source, target):
    """What Sphinx says, as strict as `make docs` lets it be."""
    return run_python("-m", "sphinx", "--fail-on-warning", "--nitpicky", "--quiet", str(source), str(target))


def test_the_pages_build(tmp_path):
    """Every page, link and anchor."""
    done = build(ROOT / "docs", tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "tutorials" / "technique.html").exists()


def test_what_leads_nowhere_is_found(tmp_path):
    """Dead links, anchors and pictures are errors, and so is a page that the first one does not list."""
    source = tmp_path / "docs"
    source.mkdir()
    shutil.copy(ROOT / "docs" / "conf.py", source)
    dead = "[page](gone/page.md) [anchor](#gone-anchor) ![picture](gone-picture.svg)"
    (source / "index.md").write_text(f"# First\n\n## Part\n\n{dead}\n\n- [listed](listed.md)\n")
    for name in ("listed", "unlisted"):
        (source / f"{name}.md").write_text(f"# {name}\n")
    done = build(source, tmp_path / "built")
    assert done.returncode != 0
    for word in ("gone/page", "gone-anchor", "gone-picture", "unlisted.md"):
        assert word in done.stderr
    assert "/listed.md" not in done.stderr


def test_links_of_the_readme_lead_somewhere():
    """Sphinx does not build the README, nor what lies beside it."""
    for name in ("README.md", "CONTRIBUTING.md"):
        links = [part.split(")")[0].split("#")[0] for part in TEXTS[ROOT / name].split("](")[1:]]
        assert links or name == "CONTRIBUTING.md"
        assert all((ROOT / link).exists() for link in links if not link.startswith("http")), name


def test_pictures_are_small_and_used():
    """Each is shown on some page, and drawings are of a size one may commit."""
    for path in (ROOT / "docs" / "images").iterdir():
        assert any(f"images/{path.name}" in text for text in TEXTS.values()), path.name
        assert path.suffix != ".svg" or path.stat().st_size < LARGEST_SVG, path.name


def test_words_of_the_glossary_are_ours():
    """Every word it explains is used in the code."""
    code = "\n".join(path.read_text(encoding="utf-8").lower() for path in (ROOT / "src").rglob("*.py"))
    rows = [line.split("|")[1] for line in TEXTS[ROOT / "docs/reference/glossary.md"].splitlines() if line[:2] == "| "]
    words = [word.strip(" `").lower() for row in rows[1:] for word in row.replace("(", ",").replace(")", "").split(",")]
    assert len(words) > 40
    assert [word for word in words if word and word not in code] == []
