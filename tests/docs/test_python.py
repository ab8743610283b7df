"""Python on the pages runs as it is written, a page from top to bottom, and prints what the page says it prints."""

import contextlib
import io
import os

import pytest

from quiesce.eval.samples import as_game, block_bytes, header_bytes
from tests.eval.test_samples import some_samples

from .pages import PAGES, ROOT, pieces

WITH_PYTHON = [page for page in PAGES if any(language == "python" for language, *_ in pieces(page))]
ELSEWHERE = {ROOT / "README.md"}
"""Pages with a test of their own: tests/api/test_readme.py."""


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """A folder with the files the pages read."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "games.pgn").write_text("1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n")
    samples = [as_game(some_samples(3, seed)) for seed in range(2)]
    parts = (block_bytes(number, game) for number, game in enumerate(samples))
    (tmp_path / "train.samples").write_bytes(header_bytes({}) + b"".join(parts))


@pytest.mark.timeout(400)
@pytest.mark.usefixtures("desk")
@pytest.mark.parametrize("page", [page for page in WITH_PYTHON if page not in ELSEWHERE], ids=lambda page: page.stem)
def test_a_page_runs_as_written(page):
    """Its blocks one after the other, as in a notebook; a block of text right below is what was printed."""
    names, printed = {"__name__": page.stem}, ""
    for language, text, between in pieces(page):
        if language == "python":
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                exec(compile(text, f"{page.name}", "exec"), names)
            printed = out.getvalue()
        elif language == "text" and printed and not between:
            assert text == printed
            printed = ""


def test_pages_with_python_are_found():
    """No page is missed."""
    assert len(WITH_PYTHON) >= 7
    assert os.fspath(ROOT / "README.md") in map(os.fspath, WITH_PYTHON)
