"""Tests of the database itself run statements in threads, as the bot does."""

import pytest


@pytest.fixture(autouse=True)
def _in_loop() -> None:
    """Override the one that does otherwise."""
