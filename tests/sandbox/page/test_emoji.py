"""The page shows the emoji of the bot on a system without a font for them."""

import re
from itertools import chain
from pathlib import Path

import pytest

import bot
from tests.sandbox.page.conftest import Open

ROOT = Path(bot.__file__).parents[1]
STATIC = ROOT / "bot" / "sandbox" / "page" / "static"
EMOJI = re.compile("[\U0001f000-\U0001faff\u26a0]|.(?=\ufe0f)")
RANGE = re.compile(r"U\+([0-9A-F]+)(?:-([0-9A-F]+))?")


def test_font_covers_the_emoji_of_the_bot() -> None:
    styles = (STATIC / "css" / "tokens.css").read_text(encoding="utf-8")
    ranges = (range(int(low, 16), int(high or low, 16) + 1) for low, high in RANGE.findall(styles))
    covered = set(chain.from_iterable(ranges))
    texts = (
        path.read_text(encoding="utf-8") for part in ("bot", "render") for path in (ROOT / part).rglob("*.py")
    )
    used = {ord(one) for text in texts for one in EMOJI.findall(text)}
    assert used, "the bot uses emoji"
    assert {f"U+{one:X}" for one in used - covered} == set()
    assert (STATIC / "fonts" / "emoji.woff2").stat().st_size < 300_000


@pytest.mark.asyncio(loop_scope="session")
async def test_page_loads_the_font(open_chat: Open) -> None:
    chat = await open_chat()
    drawn = await chat.page.evaluate(
        "document.fonts.load('15px \"Few Emoji\"', '🖍').then((found) => found.length)"
    )
    assert drawn == 1
