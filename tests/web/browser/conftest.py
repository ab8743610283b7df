"""Chromium, driven by Playwright, and its visits to the page. Skipped with a word where one of them is missing."""

import os
import shutil
from pathlib import Path

import pytest

from tests.web.conftest import has_bundle, settled

CHROMIUM = os.environ.get("QUIESCE_CHROMIUM") or shutil.which("chromium") or "/usr/bin/chromium"
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SCREEN = {"width": 1360, "height": 860}
PATIENCE = 15_000
READY = "() => !document.querySelector('section:not([hidden]) .typed input:disabled')"
"""Has the tab that is shown its position? The board is drawn before it has."""


def drawn(page):
    """Wait for the board of the tab that is shown."""
    page.locator("section:visible cg-board piece").first.wait_for()


@pytest.fixture(scope="package")
def browser():
    """One browser for all tests here; it keeps an event loop running, which other tests must not meet."""
    api = pytest.importorskip("playwright.sync_api", reason="PLAYWRIGHT IS NOT INSTALLED: no browser tests")
    if not has_bundle():
        pytest.skip("THE PAGE IS NOT BUILT (make web): no browser tests")
    if not Path(CHROMIUM).exists():
        pytest.skip("NO CHROMIUM (apt-get install chromium): no browser tests")
    with api.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield found
        found.close()


@pytest.fixture
def visit(browser, address):
    """Opens pages, each a visitor of its own; afterwards none may have had trouble, and nothing may run."""
    contexts, trouble = [], []

    def opened(path="", size=SCREEN, **options):
        context = browser.new_context(viewport=size, reduced_motion="reduce", **options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: trouble.append(str(error)))
        page.on("console", lambda message: trouble.append(message.text) if message.type == "error" else None)
        page.goto(f"http://{address}/{path}")
        drawn(page)
        page.wait_for_function(READY)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not trouble
    settled(address, running=0, waiting=0, browsers=0)
