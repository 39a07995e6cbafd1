"""The buttons and menus of earlier versions are answered: their messages are posted and never change by themselves.

`custom_ids.jsonl` holds custom ids with their arguments, a line each, and is frozen. The first 80 were posted by
version 0.1 and met all of its 43 kinds and every word in them; those behind were added until commit 50da8a01, but for
the button of a mode that ends.
"""

import json
from pathlib import Path
from typing import Any

import bot.pencilbox  # noqa: F401 - imports every kind of button and menu
from bot.ui.interactions.buttons import PersistentItem

POSTED = [json.loads(line) for line in Path(__file__).with_name("custom_ids.jsonl").read_text().splitlines()]


def kinds() -> list[type[PersistentItem[Any]]]:
    """Every kind of button and menu that the bot registers."""
    found = [kind for kinds in PersistentItem.kinds.values() for kind in kinds]
    return [kind for kind in found if kind.__module__.startswith("bot.")]


def test_posted_custom_ids_keep_their_meaning() -> None:
    for custom_id, *arguments in POSTED:
        found = [(kind, match) for kind in kinds() if (match := kind.pattern().fullmatch(custom_id))]
        assert len(found) == 1, f"{len(found)} kinds answer to {custom_id}"
        kind, match = found[0]
        assert [it for it in match.groups() if it is not None] == arguments, custom_id
        item = PersistentItem.find(custom_id)
        assert type(item) is kind
        assert item.custom_id == custom_id
