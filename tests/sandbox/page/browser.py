"""A real Chromium, headless, for tests of the page."""

import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from playwright.async_api import Browser, async_playwright, expect

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ARGUMENTS = (
    "--no-sandbox",
    # All pages share one process: a process for each page that is opened costs more than the page.
    "--disable-site-isolation-trials",
    "--process-per-site",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PATIENCE = 60_000.0
"""Milliseconds after which a missing change in a page fails the test. No test measures time with it."""

expect.set_options(timeout=PATIENCE)


def executable() -> str:
    """Return the path of an installed Chromium, or of CHROMIUM. Without one the test is skipped; under CI it fails."""
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        sentence = "No Chromium was found: install it, or name one with CHROMIUM=/path/to/chromium."
        if os.environ.get("CI"):
            pytest.fail(sentence)
        pytest.skip(sentence)  # a browser is the system's to install; under CI its absence fails
    return found


@asynccontextmanager
async def browser() -> AsyncIterator[Browser]:
    """Start a browser: `async with browser() as b: page = await b.new_page()`."""
    path = executable()
    async with async_playwright() as playwright:
        started = await playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        try:
            yield started
        finally:
            await started.close()
