"""A headless Chromium for the tests of pages."""

import shutil

import pytest

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@pytest.fixture(scope="session")
def browser():
    playwright = pytest.importorskip("playwright.sync_api")
    if CHROMIUM is None:
        pytest.skip("no chromium here")
    with playwright.sync_playwright() as running:
        found = running.chromium.launch(executable_path=CHROMIUM)
        yield found
        found.close()
