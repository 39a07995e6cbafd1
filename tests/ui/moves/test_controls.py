"""Every prompt of every game has controls that offer each legal move, within Discord's limits."""

import random
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import pytest
from discord import ui

from bot.app.errors import Refused
from bot.app.matches.table import Table
from bot.ui.matches.controls import controls
from bot.ui.matches.panel import panel
from bot.ui.moves.menu import MENU_LIMIT, PlaySelect
from bot.ui.moves.play import PlayButton
from bot.ui.moves.two_menus import MoveGroupSelect, move_groups, select_at
from bot.ui.moves.typed import TypeModal
from render.hosted_games import HOSTED_GAMES
from rules.core.game import Game
from rules.core.match import Match
from rules.core.prompt import NumberPrompt, Prompt, SegmentPrompt, StepPrompt
from rules.games import BY_KEY
from tests.contract import hand_rules
from tests.rules.walks import step
from tests.ui.test_messages import table

V2 = 1 << 15
DEEPEST = 3
"""Menus one after the other."""

every_size = pytest.mark.parametrize(
    ("game", "size"),
    [pytest.param(game, size, id=f"{game.key}-{size}") for game in HOSTED_GAMES for size in game.sizes],
)


def current_prompt(shown: Table) -> tuple[Prompt, int]:
    seat = shown.match.to_move[0]
    assert seat is not None
    prompt = shown.match.observe(seat).prompt
    assert prompt is not None
    return prompt, seat


def offered(item: ui.Item[Any], prompt: Prompt, shown: Table, seat: int) -> Iterator[str]:
    """Yield the moves that a button or menu leads to, through all menus that follow."""
    if isinstance(item, PlayButton):
        yield item.text
    elif isinstance(item, PlaySelect):
        yield from (option.value for option in item.item.options)
    elif isinstance(item, MoveGroupSelect):
        yield from narrowed(prompt, prompt.choices, 1)
        for path in ("0.", f"{item.item.options[-1].value}."):
            deeper = ui.View(timeout=None).add_item(select_at(prompt, shown, seat, path))
            assert list(hand_rules.created(_message(deeper), ())) == []


def narrowed(prompt: Prompt, moves: Sequence[str], depth: int) -> Iterator[str]:
    """Yield the same moves, group by group."""
    assert depth <= DEEPEST
    if len(moves) <= MENU_LIMIT:
        yield from moves
        return
    found = move_groups(prompt, moves)
    assert 2 <= len(found) <= MENU_LIMIT
    assert len({group.name for group in found}) == len(found)
    for group in found:
        assert 0 < len(group.moves) < len(moves)
        yield from narrowed(prompt, group.moves, depth + 1)


def _message(view: ui.View | ui.LayoutView) -> dict[str, Any]:
    flags = V2 if isinstance(view, ui.LayoutView) else 0
    content = {} if flags else {"content": "."}
    return {"components": view.to_components(), "flags": flags, **content}


@every_size
@pytest.mark.parametrize("seed", range(2))
def test_each_legal_move_can_be_pressed_or_chosen(game: Game[Any, Any], size: str, seed: int) -> None:
    match = Match.start(game, game.sizes[size], game.seats[seed % 2])
    chance = random.Random(seed)
    while not match.over and len(match.log) < 60:
        shown = table(match)
        view = panel(shown, "paper", live=True)
        body = _message(view)
        media = {item["media"]["url"] for item in _galleries(body["components"])}
        names = tuple(url.removeprefix("attachment://") for url in media)
        assert list(hand_rules.created(body, names)) == []
        pressable = [item for item in view.walk_children() if isinstance(item, ui.DynamicItem)]
        assert match.to_move == (None,) or pressable
        legal = match.legal()
        if legal is not None:
            prompt, seat = current_prompt(shown)
            assert prompt.choices == legal
            moves = [move for item in pressable for move in offered(item, prompt, shown, seat)]
            assert sorted(moves) == sorted(legal)
        match = step(match, chance)


def _galleries(components: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for part in components:
        if part["type"] == 12:
            yield from part["items"]
        yield from _galleries(part.get("components", []))


@every_size
async def test_each_form_says_how_a_move_is_written(game: Game[Any, Any], size: str) -> None:
    match = Match.start(game, game.sizes[size], 2)
    chance = random.Random(3)
    while not match.over and len(match.log) < 40 and match.legal() is not None:
        prompt, seat = current_prompt(table(match))
        form = TypeModal("The name of a game", 1, 1, prompt).to_dict()
        assert list(hand_rules.modal(form)) == []
        label = form["components"][0]
        example = label["component"]["placeholder"].removeprefix("for example ")
        assert match.play(seat, example).log[-1].text == example
        assert label["description"].endswith(".")
        match = step(match, chance)


def test_a_path_that_leads_nowhere_is_refused() -> None:
    shown = table(Match.start(BY_KEY["xlines"], {}, 2))
    prompt, seat = current_prompt(shown)
    for path in ("8.", "0.0.", "..", "99999999999."):
        with pytest.raises(Refused, match="out of date"):
            select_at(prompt, shown, seat, path)
    assert isinstance(select_at(prompt, shown, seat, "7."), PlaySelect)


def test_the_arrows_around_one_cell_are_a_compass() -> None:
    """Nine buttons; those of cells that cannot be reached are disabled."""
    match = Match.start(BY_KEY["cocomposite"], {"size": 4}, 2)
    for text in ("a1", "b1"):
        match = match.play(match.to_move[0], text)
    shown = table(match)
    prompt, seat = current_prompt(shown)
    rows = controls(prompt, shown, seat)
    labels = [[plain(item) for item in row.children] for row in rows[:3]]
    assert labels == [["↖ a2", "↑ b2", "↗ c2"], ["← ––", "• b1", "→ c1"], ["↙ ––", "↓ ––", "↘ ––"]]
    disabled = [[is_disabled(item) for item in row.children] for row in rows[:3]]
    assert disabled == [[False] * 3, [True, True, False], [True] * 3]


def test_steps_that_score_say_so() -> None:
    match = Match.start(BY_KEY["cocomposite"], {"size": 4}, 2)
    for text in ("c3", "d3", "d4", "c4"):
        match = match.play(match.to_move[0], text)
    shown = table(match)
    prompt, seat = current_prompt(shown)
    labels = {plain(item) for row in controls(prompt, shown, seat)[:3] for item in row.children}
    assert "↘ d3 +1" in labels


def test_each_end_of_a_path_has_a_row() -> None:
    match = Match.start(BY_KEY["skull"], {}, 2)
    for text in ("c3", "c4", "d4"):
        match = match.play(match.to_move[0], text)
    shown = table(match)
    prompt, seat = current_prompt(shown)
    assert isinstance(prompt, StepPrompt)
    rows = controls(prompt, shown, seat)
    ends = [{plain(item) for item in row.children} for row in rows[:-1]]
    assert sorted(ends, key=min) == [{"← b3", "↓ c2"}, {"↑ d5", "→ e4"}]


def plain(item: Any) -> str:
    return str(item.item.label if isinstance(item, ui.DynamicItem) else item.label).replace("\ufe0e", "")


def is_disabled(item: Any) -> bool:
    return bool(item.item.disabled if isinstance(item, ui.DynamicItem) else item.disabled)


CELLS = tuple(f"{column}{row}" for row, column in product(range(26, 0, -1), "abcdefghijklmnopqrstuvwxyz"))


@pytest.mark.parametrize(
    ("prompt", "first", "number"),
    [
        (Prompt("?", "a1", CELLS), "Column a", 25),
        (NumberPrompt("?", "1", tuple(map(str, range(1, 39)))), "1 to 10", 4),
        (
            SegmentPrompt("?", "a1-b2", tuple(f"{a}-{b}" for a in CELLS[:30] for b in CELLS[-2:])),
            "From a26",
            25,
        ),
        (SegmentPrompt("?", "a1-b2", tuple(f"a1-{b}" for b in CELLS)), "a1-a26 to a1-a25", 25),
    ],
)
def test_many_moves_fall_into_a_few_groups(prompt: Prompt, first: str, number: int) -> None:
    found = move_groups(prompt, prompt.choices)
    assert len(found) == number
    assert found[0].name == first
    assert sorted(move for group in found for move in group.moves) == sorted(prompt.choices)
