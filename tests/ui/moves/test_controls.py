"""Every prompt of every game has controls that offer each legal move, within Discord's limits."""

import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations_with_replacement
from typing import Any

import pytest
from discord import ButtonStyle, ui

from bot.app.errors import Refused
from bot.app.matches.loaded import LoadedMatch
from bot.ui.components.message_parts import Rows, message
from bot.ui.matches.panel import board_rows, panel
from bot.ui.moves.controls import (
    BLANK,
    PartButton,
    arrows_fit,
    buttons_explained,
    each_has_button,
    how_to_choose,
    move_rows,
    part_controls,
    part_rows,
    parts_on_board,
)
from bot.ui.moves.parts import ACROSS, IN_PRIVATE, ON_BOARD, Part, divide, part_at
from bot.ui.moves.play import MatchTarget, PlayButton, TypeForm, action_rows
from bot.ui.moves.prompts import how_to_write
from render.games import HOSTED_GAMES
from rules.core.game import Game
from rules.core.lattice import cells
from rules.core.match import Match
from rules.core.notation import Cell
from rules.core.prompt import CellPrompt, NumberPrompt, Prompt, SegmentPrompt, Step, StepPrompt
from rules.games import BY_KEY, find
from tests.rules.walks import played, step
from tests.sandbox.drafts import read_message, read_modal
from tests.ui.test_messages import loaded

pytestmark = pytest.mark.slow

V2 = 1 << 15
MINUS = "\N{MINUS SIGN}"
MOST_TAPS = 3
"""Buttons that are pressed for one move."""

every_size = pytest.mark.parametrize(
    ("game", "size"),
    [
        pytest.param(
            *(game, size),
            id=f"{game.key}-{size}",
            marks=() if size == "standard" or game.key in ("skull", "polygons") else pytest.mark.soak,
        )
        for game in HOSTED_GAMES
        for size in game.sizes
    ],
)
"""The standard size of every game; `make soak` tries all sizes of all games."""


def asked(match: Match) -> tuple[LoadedMatch, Prompt, int]:
    """Return the match as stored, and what it asks of which seat."""
    shown = loaded(match)
    return shown, *current_prompt(shown)


def current_prompt(shown: LoadedMatch) -> tuple[Prompt, int]:
    seat = shown.match.to_move[0]
    assert seat is not None
    prompt = shown.match.observe(seat).prompt
    assert prompt is not None
    return prompt, seat


def rows_of_part(prompt: Prompt, shown: LoadedMatch, seat: int, path: str = "") -> Rows:
    return part_rows(prompt, MatchTarget(shown.id), shown, seat, path)


def offered(items: Sequence[Any], prompt: Prompt, shown: LoadedMatch, seat: int) -> Iterator[str]:
    """Yield the moves that the buttons of a board lead to, through all the private messages that follow."""
    parts = [item for item in items if isinstance(item, PartButton)]
    yield from (item.text for item in items if isinstance(item, PlayButton))
    for item in parts:
        # The lines that are not the cheapest are one tap further away.
        yield from inside(prompt, part_at(prompt, item.path), 2 if item.path else 1)
    for item in parts[:1] + parts[-1:]:
        rows = rows_of_part(prompt, shown, seat, item.path)
        read_message(_message(message("?", *action_rows(rows))))


def inside(prompt: Prompt, part: Part, taps: int) -> Iterator[str]:
    """Yield the moves of a part by the parts that it is divided into."""
    assert taps <= MOST_TAPS
    rows = divide(prompt, part)
    if not rows:
        assert 0 < len(part.moves) <= IN_PRIVATE
        yield from part.moves
        return
    assert all(len(row) <= ACROSS for row in rows)
    # Text, picture and the way back take four of the 40 components.
    assert sum(1 + len(row) for row in rows) <= 36
    parts = [inner for row in rows for inner in row]
    assert len({inner.name for inner in parts}) == len(parts)
    for inner in parts:
        yield from inside(prompt, inner, taps + 1) if inner.moves else ()


def _message(view: ui.View | ui.LayoutView) -> dict[str, Any]:
    flags = V2 if isinstance(view, ui.LayoutView) else 0
    content = {} if flags else {"content": "."}
    return {"components": view.to_components(), "flags": flags, **content}


@every_size
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.soak)])
def test_each_legal_move_can_be_pressed_or_chosen(game: Game[Any, Any], size: str, seed: int) -> None:
    match = Match.start(game, game.sizes[size], game.seats[seed % 2])
    chance = random.Random(seed)
    while not match.over and len(match.log) < 30:
        if len(match.log) > 12 and len(match.log) % 5:
            match = step(match, chance)  # controls change slowly by then; each seat still has its turns
            continue
        shown = loaded(match)
        view = panel(shown, "paper", live=True)
        body = _message(view)
        media = {item["media"]["url"] for item in _galleries(body["components"])}
        names = tuple(url.removeprefix("attachment://") for url in media)
        read_message(body, names)
        pressable = [item for item in view.walk_children() if isinstance(item, ui.DynamicItem)]
        assert match.to_move == (None,) or pressable
        legal = match.legal()
        if legal is not None:
            prompt, seat = current_prompt(shown)
            assert prompt.choices == legal
            moves = list(offered(pressable, prompt, shown, seat))
            # A line from a corner runs from either of two sides.
            assert sorted(set(moves)) == sorted(legal)
            on_board = {item.text for item in pressable if isinstance(item, PlayButton)}
            arrows = isinstance(prompt, StepPrompt) and arrows_fit(prompt)
            few = each_has_button(prompt) or arrows
            first: tuple[str, ...] = ()
            if isinstance(prompt, SegmentPrompt):
                first = prompt.cheapest
            elif isinstance(prompt, CellPrompt):
                first = prompt.spread
            assert on_board == set(first or (legal if few else ()))
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
        prompt, seat = current_prompt(loaded(match))
        form = TypeForm("The name of a game", MatchTarget(1), 1, prompt).to_dict()
        read_modal(form)
        label = form["components"][0]
        example = label["component"]["placeholder"].removeprefix("for example ")
        assert match.play(seat, example).log[-1].text == example
        assert label["description"].endswith(".")
        match = step(match, chance)


def test_step_prompt_of_many_pieces_has_no_arrows() -> None:
    steps = tuple(Step(Cell(column, 0), (0, 1), f"{column}") for column in range(5))
    assert arrows_fit(StepPrompt("Go.", "0", (), steps[:4]))
    assert not arrows_fit(StepPrompt("Go.", "0", (), steps))


def test_step_prompt_says_how_a_step_is_written() -> None:
    assert how_to_write(StepPrompt("Go.", "a1", (), ())).startswith("Name the cell")
    assert how_to_write(StepPrompt("Go.", "a1-a2", (), (), how="Name both.")) == "Name both."


def test_number_prompt_says_how_several_numbers_are_written() -> None:
    assert how_to_write(NumberPrompt("Go.", "1", ("1", "2"))) == "Type its number, like 1."
    assert "hyphen" in how_to_write(NumberPrompt("Go.", "1", ("1", "1-2")))


@pytest.mark.parametrize("size", [8, 20])
def test_lines_between_numbered_places_are_listed(size: int) -> None:
    pairs = combinations_with_replacement(range(1, size + 1), 2)
    moves = tuple(f"{low}" if low == high else f"{low}-{high}" for low, high in pairs)
    prompt = SegmentPrompt("Go.", "1-2", moves)
    parts = [it for row in divide(prompt, Part("", prompt.choices)) for it in row]
    assert [move for part in parts for move in part.moves] == [*moves]
    assert max(len(part.moves) for part in parts) <= IN_PRIVATE
    assert all(divide(prompt, part) == () for part in parts)


def test_a_path_that_leads_nowhere_is_refused() -> None:
    shown, prompt, seat = asked(Match.start(BY_KEY["xlines"], {}, 2).play(0, "a8"))
    for path in ("9.", "0.0.", "..", "99999999999."):
        with pytest.raises(Refused, match="out of date"):
            rows_of_part(prompt, shown, seat, path)
    cells = [[plain(item) for item in row] for row in rows_of_part(prompt, shown, seat, "0.")]
    assert cells == [
        [BLANK, "b8", "c8", "d8"],
        *([f"{column}{row}" for column in "abcd"] for row in (7, 6, 5)),
    ]
    first = rows_of_part(prompt, shown, seat, "0.")[0][0]
    assert is_disabled(first)


def test_a_part_without_moves_keeps_its_place() -> None:
    shown = loaded(Match.start(BY_KEY["spaghetti"], {"size": 6}, 2))
    choices = tuple(str(cell) for cell in cells(6, 6) if cell.column > 2 or cell.row < 3)
    rows = rows_of_part(CellPrompt("Fill a square.", "a1", choices), shown, 0)
    assert [[plain(item) for item in row] for row in rows] == [[BLANK, "d4–f6"], ["a1–c3", "d1–f3"]]
    assert [is_disabled(item) for row in rows for item in row] == [True, False, False, False]


def test_few_cells_are_arranged_as_on_the_board() -> None:
    match = Match.start(BY_KEY["skull"], {"width": 4, "height": 4}, 2)
    shown, prompt, seat = asked(match)
    labels = [[plain(item) for item in row.children] for row in board_rows(prompt, shown, seat)[:-1]]
    assert labels == [[f"{column}{row}" for column in "abcd"] for row in (4, 3, 2, 1)]
    holed = replace(prompt, choices=tuple(text for text in prompt.choices if text != "b3"))
    rows = move_rows(holed, MatchTarget(1), shown, seat)
    assert [plain(item) for item in rows[1]] == ["a3", BLANK, "c3", "d3"]
    spread = replace(prompt, choices=("a1", "a4", "d2"))
    assert [[plain(item) for item in row] for row in move_rows(spread, MatchTarget(1), shown, seat)] == [
        ["a1", "a4", "d2"]
    ]


def test_many_numbers_are_listed_in_rows_of_five() -> None:
    shown, prompt, seat = asked(Match.start(BY_KEY["alaric"], {"size": 13}, 2))
    assert [len(row) for row in move_rows(prompt, MatchTarget(1), shown, seat)] == [5, 5, 3]


@pytest.mark.parametrize(("cells", "windows"), [(8, 4), (12, 9), (16, 16), (20, 16), (24, 9)])
def test_a_board_is_divided_so_that_few_taps_lead_to_a_cell(cells: int, windows: int) -> None:
    """Windows of 5 by 5 at most need two taps; on larger boards some cells need three."""
    prompt, _ = current_prompt(
        loaded(Match.start(BY_KEY["cocomposite" if cells < 21 else "polygons"], {"size": cells}, 2))
    )
    parts = [it for row in divide(prompt, Part("", prompt.choices)) for it in row]
    assert len(parts) == windows
    assert any(divide(prompt, it) for it in parts) == (cells == 24)


def test_many_moves_have_short_names_and_the_points_they_bring() -> None:
    """Stones that an Alaric move takes, and the letters that lines of X's have in the picture."""
    match = played(BY_KEY["alaric"], "1", "2", "6", "3", size=13)
    assert labels_of(match) == {"4 +2", "5", "7", "8", "9", "10", "11", "12", "13"}
    match = played(BY_KEY["xlines"], "a1", "c3", "d1", "b4", "a1-d1", size=4)
    assert labels_of(match) == {"A b4", "B b4", "C c3", "D c3"}
    assert "The letters name the lines in the picture." in lines_of(match)


def test_a_single_move_that_captures_nothing_is_plain() -> None:
    """Its stone counts as a point, as any stone does."""
    match = played(BY_KEY["alaric"], *"36751482", size=9)
    assert match.legal() == ("9",)
    assert styles_of(match) == {"9": ButtonStyle.primary}
    assert "Green" not in lines_of(match)


def test_regions_of_polygons_are_points_on_the_buttons() -> None:
    """A label says the same in all games: e6 closes a region for the player on turn, and g6 one for the opponent."""
    dots = "c4", "e10", "j9", "j1", "g6", "e6"
    match = played(BY_KEY["polygons"], *dots, "j1-e10", "e10-c4", "c4-j9", dots=3, size=10)
    assert styles_of(match) == {"e6 +1": ButtonStyle.success, f"g6 {MINUS}1": ButtonStyle.secondary}
    assert f"+1 wins you a point, {MINUS}1 gives your opponent a point." in lines_of(match)
    match = played(BY_KEY["polygons"], "e4", "b7", "g3", dots=3, size=10)
    prompt, _ = current_prompt(loaded(match))
    assert how_to_write(prompt) == f"Name the point, like {prompt.example}."


def test_parts_are_framed_only_if_moves_have_no_buttons() -> None:
    """On the quick board of the skull game each cell has a button; the standard one is divided."""
    game = BY_KEY["skull"]
    for size, framed in (("quick", False), ("standard", True)):
        match = Match.start(game, game.sizes[size], 2)
        assert ("a framed part" in lines_of(match)) == bool(parts_on_board(loaded(match))) == framed


def test_every_wall_is_entered_by_its_start_and_its_end() -> None:
    """Also the last few: with 15 walls left, the buttons of the board still stand for points, not for walls."""
    match, chance = Match.start(BY_KEY["maze"], BY_KEY["maze"].sizes["standard"], 2), random.Random(6)
    counts = []
    while match.observe(None).phase == "draw":
        shown, prompt, seat = asked(match)
        starts = list(dict.fromkeys(move.partition("-")[0] for move in prompt.choices))
        items = [item for row in board_rows(prompt, shown, seat)[:-1] for item in row.children]
        assert [plain(item) for item in items if not is_disabled(item)] == starts
        assert "Choose where your wall starts." in lines_of(match)
        for index, start in enumerate(
            part for row in divide(prompt, Part("", prompt.choices)) for part in row
        ):
            if start.moves:
                ends = [item for row in rows_of_part(prompt, shown, seat, f"{index}.") for item in row]
                assert {item.text for item in ends if isinstance(item, PlayButton)} == set(start.moves)
        counts.append(len(prompt.choices))
        match = step(match, chance)
    assert counts[0] > ON_BOARD > counts[-1]


def styles_of(match: Match) -> dict[str, ButtonStyle]:
    """Return the styles of the buttons for moves by their labels."""
    shown, prompt, seat = asked(match)
    items = [item for row in board_rows(prompt, shown, seat) for item in row.children]
    return {plain(item): item.item.style for item in items if isinstance(item, PlayButton)}


def lines_of(match: Match) -> str:
    """Return all texts of the public board."""
    view = panel(loaded(match), "paper", live=True)
    return "\n".join(item.content for item in view.walk_children() if isinstance(item, ui.TextDisplay))


def test_lines_from_side_to_side_are_named_whole_on_the_board() -> None:
    """Also where the last ones all share an end: nobody has chosen it."""
    for seed in range(100):
        match, chance = Match.start(BY_KEY["spaghetti"], {"size": 3}, 2), random.Random(seed)
        while not match.over:
            ends = [set(text.split("-")) for text in match.legal() or ()]
            if len(ends) > 1 and len(set.intersection(*ends)) == 1:
                assert all(re.match("[0-9]+-[0-9]+", label) for label in labels_of(match))
                return
            match = step(match, chance)
    pytest.fail("No such position was found.")


def test_points_on_the_buttons_of_a_part_are_explained() -> None:
    match = Match.start(BY_KEY["spaghetti"], {}, 2)
    chance = random.Random(5)
    while match.observe(None).phase != "draw":
        match = step(match, chance)
    explained = {_first_lines(match)}
    while not any(match.scores or ()):
        match = step(match, chance)
    explained.add(_first_lines(match))
    assert explained == {"", f"\n-# {MINUS}1 to {MINUS}2: points for your opponent."}


def test_strands_start_at_any_free_end() -> None:
    """An end at which only one strand is left is offered as this strand."""
    match = played(BY_KEY["spaghetti"], "b4", "d4", "b2", "c2", "d2", size=5)
    prompt, _ = current_prompt(loaded(match))
    starts = [part.name for row in divide(prompt, Part("", prompt.choices)) for part in row]
    assert starts == [str(end) for end in range(1, 21)]
    while not match.over and len(match.legal() or ()) > ON_BOARD // 2:
        match = step(match, random.Random(2))
    shown, prompt, seat = asked(match)
    moves = {
        item.text for row in rows_of_part(prompt, shown, seat) for item in row if isinstance(item, PlayButton)
    }
    ends = Counter(end for move in prompt.choices for end in move.split("-"))
    assert moves == {move for move in prompt.choices if any(ends[end] == 1 for end in move.split("-"))}
    assert moves


def _first_lines(match: Match) -> str:
    """The explanation under the lines from the first vertex, or between the first two sides, that have several."""
    shown, prompt, seat = asked(match)
    path = ""
    while parts := [part for row in divide(prompt, part_at(prompt, path)) for part in row]:
        path += f"{next(index for index, part in enumerate(parts) if len(part.moves) > 1)}."
    return buttons_explained(rows_of_part(prompt, shown, seat, path))


def labels_of(match: Match) -> set[str]:
    shown, prompt, seat = asked(match)
    return {plain(item) for row in board_rows(prompt, shown, seat)[:-1] for item in row.children}


def test_the_arrows_around_one_cell_are_a_compass() -> None:
    """Nine buttons; those of cells that cannot be reached are disabled."""
    match = played(BY_KEY["cocomposite"], "a1", "b1", size=4)
    shown, prompt, seat = asked(match)
    rows = board_rows(prompt, shown, seat)
    labels = [[plain(item) for item in row.children] for row in rows[:3]]
    assert labels == [["↖ a2", "↑ b2", "↗ c2"], ["← ––", "• b1", "→ c1"], ["↙ ––", "↓ ––", "↘ ––"]]
    disabled = [[is_disabled(item) for item in row.children] for row in rows[:3]]
    assert disabled == [[False] * 3, [True, True, False], [True] * 3]


def test_steps_that_score_are_green() -> None:
    """They are named like the others, so that the columns of the compass stay straight."""
    match = played(BY_KEY["cocomposite"], "c3", "d3", "d4", "c4", size=4)
    shown, prompt, seat = asked(match)
    buttons = [item for row in board_rows(prompt, shown, seat)[:3] for item in row.children]
    green = [
        item for item in buttons if isinstance(item, PlayButton) and item.item.style is ButtonStyle.success
    ]
    assert [plain(item) for item in green] == ["↘ d3"]
    assert "Green buttons score a point." in how_to_choose(prompt, [buttons])


def test_each_end_of_a_path_has_a_row() -> None:
    match = played(BY_KEY["skull"], "c3", "c4", "d4")
    shown, prompt, seat = asked(match)
    assert isinstance(prompt, StepPrompt)
    rows = board_rows(prompt, shown, seat)
    ends = [{plain(item) for item in row.children} for row in rows[:-1]]
    assert sorted(ends, key=min) == [{"← b3", "↓ c2"}, {"↑ d5", "→ e4"}]


def plain(item: Any) -> str:
    return str(item.item.label if isinstance(item, ui.DynamicItem) else item.label).replace("\ufe0e", "")


def is_disabled(item: Any) -> bool:
    return bool(item.item.disabled if isinstance(item, ui.DynamicItem) else item.disabled)


def test_a_place_with_too_many_lines_is_offered_twice() -> None:
    """On the largest maze, where more than 25 walls may begin at one point."""
    prompt, _ = current_prompt(loaded(Match.start(BY_KEY["maze"], {"size": 8}, 2)))
    names = [it.name for row in divide(prompt, part_at(prompt, "0.")) for it in row]
    assert len(names) == len(set(names)) == 10
    assert names[:2] == ["a9: b8 to d5", "a9: e5 to h2"]


def test_each_end_of_a_line_is_asked_for_in_turn() -> None:
    """From the second end, a button leads back to the first one, which the board does not offer."""
    match = Match.start(find("spaghetti"), {"size": 8}, 2)
    for square in ("a1", "h8", "c3", "e5", "d4", "f6", "b7", "g2"):
        match = match.play(match.to_move[0], square)
    shown, prompt, seat = asked(match)
    first = part_controls(prompt, MatchTarget(1), shown, seat, "")
    assert (first.ask, first.text) == ("", " Choose where your strand starts.")
    assert not [it for row in first.rows for it in row if isinstance(it, PartButton) and not it.path]
    second = part_controls(prompt, MatchTarget(1), shown, seat, "2.")
    assert second.text == " Choose where your strand from **3** ends."
    assert [it.item.label for it in second.rows[-1] if isinstance(it, PartButton) and not it.path] == ["Back"]
