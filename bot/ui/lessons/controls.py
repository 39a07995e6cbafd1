"""The controls of a match in the message of a lesson: their custom ids say of which lesson and step they are.

A button of a match carries everything in its custom id, so the same custom id behind `try:alaric:2:` is that button
in the third step of the lesson of Alaric.
"""

from collections.abc import Iterable
from typing import Any, cast

from discord import ui

from bot.ui.kit.answers.buttons import PersistentItem
from bot.ui.moves.card_row import OrderButton, SealButton, SwapButton, TypeRowButton
from bot.ui.moves.part_buttons import PartButton
from bot.ui.moves.play import PlayButton
from bot.ui.moves.typed import TypeButton
from bot.ui.moves.words import NameWordsButton, PointButton, StopButton

KINDS: tuple[type[PersistentItem[Any]], ...] = (
    NameWordsButton,
    OrderButton,
    PartButton,
    PlayButton,
    PointButton,
    SealButton,
    StopButton,
    SwapButton,
    TypeButton,
    TypeRowButton,
)
"""The buttons by which moves are entered."""


def prefix(game: str, step: int) -> str:
    """Return what stands before the custom ids of a step."""
    return f"try:{game}:{step}:"


def in_lesson(items: Iterable[ui.Item[Any]], game: str, step: int) -> None:
    """Change the custom ids of these controls, and of those inside them, to those of a step."""
    for item in items:
        if isinstance(item, KINDS):
            item.item.custom_id = prefix(game, step) + item.custom_id
        elif isinstance(item, ui.ActionRow):
            in_lesson(item.children, game, step)


def control(custom_id: str) -> PersistentItem[Any] | None:
    """Return the button of a match with this custom id, or None if no move is entered by it."""
    for kind in KINDS:
        if (found := kind.__discord_ui_compiled_template__.fullmatch(custom_id)) is not None:
            return kind.matched(found)
    return None


def rows_of(view: ui.View | ui.LayoutView) -> list[ui.Item[Any]]:
    """Return the components of a message, those of a message with text as rows."""
    if isinstance(view, ui.LayoutView):
        (first, *_) = children = list(view.children)
        return list(first.children) if isinstance(first, ui.Container) else children
    rows: dict[int, list[ui.Item[Any]]] = {}
    for item in view.children:
        rows.setdefault(4 if item.row is None else item.row, []).append(item)
    return [ui.ActionRow(*cast("list[ui.Button[Any]]", rows[number])) for number in sorted(rows)]
