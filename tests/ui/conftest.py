"""The application, for what shows it."""

import pytest

from bot.ui.kit.content import emoji
from tests.app.conftest import host

__all__ = ["host"]


@pytest.fixture(autouse=True)
def no_emojis(monkeypatch: pytest.MonkeyPatch) -> None:
    """No game has an emoji here, also after a bot has run in the process of the tests."""
    monkeypatch.setattr(emoji, "_ready", {})
