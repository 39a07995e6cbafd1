"""The controls for a prompt and a target: a button for each legal move, arrows, parts of the moves, secret moves.

Where the legal moves are many, a player first chooses a part of them below a picture that marks them.
"""

import asyncio
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import singledispatch
from itertools import repeat
from typing import Any

import discord
from discord import ui

import render
from bot.app.matches.loaded import LoadedMatch
from bot.app.matches.matches import Matches
from bot.ui.components.message_parts import Rows
from bot.ui.interactions.reply import Context
from bot.ui.moves.card_row import row_controls
from bot.ui.moves.parts import (
    ACROSS,
    CELL,
    IN_PRIVATE,
    ON_BOARD,
    Part,
    Window,
    as_on_board,
    divide,
    part_at,
    within_five,
)
from bot.ui.moves.play import BoardTarget, Controls, PartialButton, PartialControl, PlayButton
from bot.ui.moves.words import words_controls
from rules.core.game import Seat
from rules.core.match import Match
from rules.core.notation import Cell, letters_of
from rules.core.prompt import CellPrompt, Prompt, RowPrompt, SegmentPrompt, Step, StepPrompt, WordsPrompt

Way = tuple[int, int]
"""A direction: cells to the right and cells upwards."""

PLAIN = "\N{VARIATION SELECTOR-15}"
"""Keeps phones from showing the slanted arrows as coloured emoji beside the straight ones."""

ARROWS: Mapping[Way, str] = {
    (-1, 1): f"↖{PLAIN}", (0, 1): "↑", (1, 1): f"↗{PLAIN}",
    (-1, 0): "←", (1, 0): "→",
    (-1, -1): f"↙{PLAIN}", (0, -1): "↓", (1, -1): f"↘{PLAIN}",
}  # fmt: skip

_LETTERED = re.compile("[A-Z] [a-z][0-9]+")
"""A label with the letter of a line and its end."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A legal move as canonical text, with the match after it.

    `gain` is the number of points that the player wins, minus the points that others win. Points that every move of the
    game wins are not counted.
    """

    text: str
    gain: int
    after: Match


def try_moves(match: Match, seat: Seat, texts: Iterable[str]) -> list[Choice]:
    """Return these legal moves of `seat`. Each move is played, which takes some milliseconds."""
    before = match.game.points_so_far(match.state)
    return [_choice(seat, text, before, match.play(seat, text)) for text in texts]


def _choice(seat: Seat, text: str, before: Sequence[int] | None, after: Match) -> Choice:
    now = after.game.points_so_far(after.state)
    if not before or not now:
        return Choice(text, 0, after)
    changes = [new - old for old, new in zip(before, now, strict=True)]
    own = changes.pop(seat) - after.game.usual_points
    return Choice(text, own - sum(changes), after)


def effects(choices: Sequence[Choice]) -> list[str]:
    """Return the effect of each move in a few words; "" if it has none, or if all of several moves share it."""
    found = [render.caption(choice.after.observe(None)).partition(", ")[2] for choice in choices]
    return [""] * len(found) if len({*found}) == 1 < len(found) else found


@singledispatch
def short_names(prompt: Prompt, moves: Sequence[str], *, chosen: bool = False) -> Mapping[str, str]:
    """Return the short name of each of these moves, by its canonical text.

    `chosen` is True if the member has chosen a part that all of them share.
    """
    return {move: move for move in moves}


@short_names.register
def _segments(prompt: SegmentPrompt, moves: Sequence[str], *, chosen: bool = False) -> Mapping[str, str]:
    """Name lines that share one end by the other end, after the letters of the picture if some of them bend.

    Lines from side to side are named by both ends unless the member has chosen the shared end.
    """
    if prompt.sides and not chosen:
        return {move: move for move in moves}
    letters = letters_of(moves)
    if letters:
        return {move: f"{letters[move]} {move.rpartition('-')[2]}" for move in moves}
    parts = {move: move.split("-") for move in moves}
    # Lines that turn, and an only line, are drawn from the end of the line before.
    only = prompt.bends or len(moves) == 1
    shared = {*moves[0].split("-")[:1]} if only else set.intersection(*map(set, parts.values()))
    names = {
        move: "-".join(place for place in places if place not in shared) for move, places in parts.items()
    }
    return (
        names
        if all(names.values()) and len(set(names.values())) == len(names)
        else {move: move for move in moves}
    )


_SHORT, _ACROSS_ON_PHONE = 9, 3
"""Characters up to which five labels fit into one row on a phone, where a label breaks at a space, and the number of
longer labels that fit."""

LONGEST = 40
"""Characters of a label that a phone shows in full; Discord allows 80."""


def each_has_button(prompt: Prompt, room: int = IN_PRIVATE) -> bool:
    """Return True if a message has room for a button for each move; `room` is the `BoardTarget.room` of its target.

    A line between two places is always entered by its start and its end, unless all lines start at one place: so one
    way leads to every line, and buttons have short names.
    """
    if isinstance(prompt, SegmentPrompt) and not prompt.sides:
        starts = {move.partition("-")[0] for move in prompt.choices}
        if len(starts) > 1 and all(map(CELL.fullmatch, starts)):
            return False
    if len(prompt.choices) <= ON_BOARD:
        return True
    return isinstance(prompt, CellPrompt) and len(prompt.choices) <= room and within_five(prompt.choices)


@singledispatch
def controls(prompt: Prompt, target: BoardTarget, loaded: LoadedMatch, seat: Seat) -> Controls:
    """Return the controls by which `seat` answers a prompt: a button for each legal move, or for parts of many moves.

    Their custom ids name the target.
    """
    rows = (move_rows if each_has_button(prompt, target.room) else part_rows)(prompt, target, loaded, seat)
    return Controls(loaded, seat, rows, prompt.ask, parts=first_parts(prompt, target.room))


@controls.register
def _cells(prompt: CellPrompt, target: BoardTarget, loaded: LoadedMatch, seat: Seat) -> Controls:
    """Return the cells that are offered first and a button for the others, if the prompt names such cells."""
    if not prompt.spread:
        return controls.dispatch(Prompt)(prompt, target, loaded, seat)
    items: list[ui.Item[Any]] = [PlayButton(target, loaded.shown, text) for text in prompt.spread]
    return Controls(loaded, seat, _in_fives([*items, _others(target, loaded)]), prompt.ask)


@controls.register
def _steps(prompt: StepPrompt, target: BoardTarget, loaded: LoadedMatch, seat: Seat) -> Controls:
    """Return arrows, or buttons and parts as for other moves if the arrows do not fit."""
    if not arrows_fit(prompt):
        return controls.dispatch(Prompt)(prompt, target, loaded, seat)
    return Controls(loaded, seat, arrow_rows(prompt, target, loaded, seat), prompt.ask)


@controls.register
def _segment_controls(
    prompt: SegmentPrompt, target: BoardTarget, loaded: LoadedMatch, seat: Seat
) -> Controls:
    """Return the cheapest lines and a button for the others, if the prompt names the cheapest."""
    if not prompt.cheapest:
        return controls.dispatch(Prompt)(prompt, target, loaded, seat)
    return Controls(loaded, seat, cheapest_rows(prompt, target, loaded, seat), prompt.ask)


@controls.register
def _row(prompt: RowPrompt, target: BoardTarget, loaded: LoadedMatch, seat: Seat) -> Controls:
    return row_controls(prompt, target, loaded, seat)


@controls.register
def _words(prompt: WordsPrompt, target: BoardTarget, loaded: LoadedMatch, seat: Seat) -> Controls:
    return words_controls(prompt, target, loaded, seat)


def move_rows(prompt: Prompt, target: BoardTarget, loaded: LoadedMatch, seat: Seat) -> Rows:
    """Return rows with a button for each legal move.

    A label has the points that the move wins or gives away. If no move changes the points, and the moves are at most
    five, it says in a few words what the move does.
    """
    choices = try_moves(loaded.match, seat, prompt.choices)
    in_words = len(choices) <= ACROSS and not any(choice.gain for choice in choices)
    names = short_names(prompt, [choice.text for choice in choices])
    buttons: dict[str, PlayButton] = {
        choice.text: _button(target, loaded, choice, names[choice.text], effect)
        for choice, effect in zip(choices, effects(choices) if in_words else repeat(""), strict=False)
    }
    if isinstance(prompt, CellPrompt) and _longest(buttons.values()) <= _SHORT:
        items: Mapping[str, ui.Item[Any]] = {**buttons}
        return [[*row] for row in as_on_board(items, _gap, target.room // ACROSS)]
    return rows_of_buttons([*buttons.values()])


def cheapest_rows(prompt: SegmentPrompt, target: BoardTarget, loaded: LoadedMatch, seat: Seat) -> Rows:
    """Return the cheapest lines, green if they give no points away, and one button for the others."""
    items: list[ui.Item[Any]] = []
    for choice in try_moves(loaded.match, seat, prompt.cheapest):
        button = move_button(target, loaded, choice, choice.text)
        button.item.style = _style(choice) if choice.gain else discord.ButtonStyle.success
        items.append(button)
    if len(items) < len(prompt.choices):
        items.append(_others(target, loaded))
    return _in_fives(items)


def _in_fives(items: Sequence[ui.Item[Any]]) -> Rows:
    """Divide controls into rows of five."""
    return [[*items[low : low + ACROSS]] for low in range(0, len(items), ACROSS)]


def _button(target: BoardTarget, loaded: LoadedMatch, choice: Choice, name: str, effect: str) -> PlayButton:
    label = f"{name}, {effect.partition(':')[0]}"
    if not effect or len(label) > LONGEST:
        return move_button(target, loaded, choice, name)
    return PlayButton(target, loaded.shown, choice.text, label, _style(choice))


def move_button(target: BoardTarget, loaded: LoadedMatch, choice: Choice, name: str) -> PlayButton:
    """Return a button with the name of a move and the points that the move wins or gives away."""
    label = f"{name} {_signed(choice.gain)}" if choice.gain else name
    return PlayButton(target, loaded.shown, choice.text, label, _style(choice))


def _style(choice: Choice) -> discord.ButtonStyle:
    """Return the colour of a move: green if it wins points, grey if it gives some away."""
    if choice.gain > 0:
        return discord.ButtonStyle.success
    return discord.ButtonStyle.secondary if choice.gain < 0 else discord.ButtonStyle.primary


def _signed(points: int) -> str:
    """Return points with their sign, like `+1`."""
    return f"{points:+}".replace("-", "\N{MINUS SIGN}")


_SIGNED = re.compile(f" ([{_signed(1)[0]}{_signed(-1)[0]}])([0-9]+)$")
"""The points at the end of a label."""


def rows_of_buttons(buttons: Sequence[PlayButton]) -> Rows:
    """Divide buttons into rows of five, or of three if their labels are long."""
    across = ACROSS if len(buttons) <= ACROSS or _longest(buttons) <= _SHORT else _ACROSS_ON_PHONE
    return [[*buttons[low : low + across]] for low in range(0, len(buttons), across)]


def _longest(buttons: Iterable[PlayButton]) -> int:
    return max(len(button.item.label or "") for button in buttons)


_AROUND = (-1, 0, 1)
MOST_ROWS = 4
"""Rows of five arrows that a board has room for."""


def arrows_fit(prompt: StepPrompt) -> bool:
    """Return True if a board has room for a row of arrows for each cell where steps start."""
    origins = Counter(step.origin for step in prompt.steps)
    return len(origins) == 1 or (len(origins) <= MOST_ROWS and max(origins.values()) <= ACROSS)


def arrow_rows(prompt: StepPrompt, target: BoardTarget, loaded: LoadedMatch, seat: Seat) -> Rows:
    """Return a button with an arrow for each step.

    They form a compass if all steps start at one cell and one of them is diagonal; otherwise each start has a row.
    """
    choices = {choice.text: choice for choice in try_moves(loaded.match, seat, prompt.choices)}
    origins = list(dict.fromkeys(step.origin for step in prompt.steps))
    compass = len(origins) == 1 and any(all(step.way) for step in prompt.steps)
    buttons: dict[Step, PlayButton] = {}
    for step in prompt.steps:
        choice, name = choices[step.text], f"{ARROWS[step.way]} {step.text}"
        button = move_button(target, loaded, choice, name)
        if compass and choice.gain > 0 and prompt.green:
            # The points would make the button wider, so that its column is no longer straight.
            button.item.label = name
        buttons[step] = button
    if compass:
        return list(_compass(origins[0], {step.way: button for step, button in buttons.items()}))
    return [[button for step, button in buttons.items() if step.origin == origin] for origin in origins]


def _compass(origin: Cell, buttons: Mapping[Way, PlayButton]) -> Iterator[list[ui.Item[Any]]]:
    """Yield three rows of three buttons with the origin in the middle; those without a legal step are disabled."""
    for up in reversed(_AROUND):
        ways: list[Way] = [(right, up) for right in _AROUND]
        yield [buttons.get(way) or _arrow_gap(origin, way) for way in ways]


def _arrow_gap(origin: Cell, way: Way) -> ui.Button[Any]:
    # As wide as the name of a cell, so that the rows form columns.
    nothing = "–" * len(str(origin))
    label = f"{ARROWS[way]} {nothing}" if any(way) else f"• {origin}"
    return ui.Button(label=label, disabled=True, custom_id=f"gap:{way[0]}:{way[1]}")


BOARD = "."
"""The path that leads back to the buttons of the board, where these are not all parts of the moves."""


class PartButton(PartialButton, word="among", values=r"(?P<path>[0-9.]{0,40})"):
    """Shows a part of the legal moves.

    `path` holds the index of the part, after the indices of the parts that contain it, each followed by a dot; "" is
    all moves, and `BOARD` the buttons of the board.
    """

    def __init__(
        self, target: BoardTarget, plies: int, path: str, label: str = "Back", *, back: bool = False
    ) -> None:
        self.target, self.plies, self.path = target, plies, path
        style = discord.ButtonStyle.secondary if back else discord.ButtonStyle.primary
        super().__init__(
            ui.Button(label=label, style=style, custom_id=target.custom_id("among", plies, path))
        )

    async def enter(self, context: Context, matches: Matches) -> Controls:
        loaded, seat, prompt = await matches.prompt_for(self.target.match, context.user, self.plies)
        if self.path == BOARD:
            return replace(controls(prompt, self.target, loaded, seat), whole=True)
        return await asyncio.to_thread(part_controls, prompt, self.target, loaded, seat, self.path)


def _others(target: BoardTarget, loaded: LoadedMatch) -> PartButton:
    """Return the button for all moves, beside those that are offered first."""
    return PartButton(target, loaded.shown, "", "Others", back=True)


class MoveGroupSelect(PartialControl[ui.Select[Any]], word="narrow", values=r"(?P<path>[0-9.]{0,40})"):
    """Offers the buttons for all moves, whichever group was chosen. Only boards of version 0.1 have such menus."""

    def __init__(self, target: BoardTarget, plies: int, path: str = "") -> None:
        self.target, self.plies = target, plies
        super().__init__(ui.Select(custom_id=target.custom_id("narrow", plies, path)))

    async def enter(self, context: Context, matches: Matches) -> Controls:
        loaded, seat, prompt = await matches.prompt_for(self.target.match, context.user, self.plies)
        return await asyncio.to_thread(part_controls, prompt, self.target, loaded, seat, "")


class OldPartButton(PartialButton, word="part", values=r"(?P<path>[0-9.]{0,40})"):
    """Offers the buttons for all moves. Earlier versions divided boards in another way, so their paths mean nothing."""

    def __init__(self, target: BoardTarget, plies: int, path: str = "") -> None:
        self.target, self.plies, self.path = target, plies, path
        super().__init__(ui.Button(label="Back", custom_id=target.custom_id("part", plies, path)))

    async def enter(self, context: Context, matches: Matches) -> Controls:
        loaded, seat, prompt = await matches.prompt_for(self.target.match, context.user, self.plies)
        return await asyncio.to_thread(part_controls, prompt, self.target, loaded, seat, "")


def part_controls(
    prompt: Prompt, target: BoardTarget, loaded: LoadedMatch, seat: Seat, path: str
) -> Controls:
    """Return the controls for a part of the legal moves, with a picture of these moves. Raises Refused."""
    part = part_at(prompt, path)
    rows = part_rows(prompt, target, loaded, seat, path)
    points = buttons_explained(rows)
    _add_back(rows, prompt, target, loaded, path)
    asked = _asked(prompt, part)
    ask, text = ("", f" {asked}{points}") if asked else (prompt.ask, points)
    whole = not (path or _offered(prompt))
    return Controls(loaded, seat, rows, ask, text, candidates=candidates_of(prompt, part), whole=whole)


def _asked(prompt: Prompt, part: Part) -> str:
    """Return what is chosen next, after the choices so far; "" if a whole move is chosen from all moves."""
    among = f" in **{part.name}**" if part.name else ""
    if isinstance(prompt, SegmentPrompt):
        if part.place is not None:
            return f"Choose where your {prompt.noun} from **{part.name}** ends."
        if any(it.place for row in divide(prompt, part) for it in row):
            return f"Choose where your {prompt.noun} starts{among}."
        return f"Choose your {prompt.noun}{among}." if among else ""
    what = f"a {prompt.noun}" if isinstance(prompt, CellPrompt) else "your move"
    return f"Choose {what}{among}." if among else ""


def buttons_explained(rows: Rows) -> str:
    """Return a line that explains the letters and the points on buttons; "" if there are none."""
    moves = [item.item for row in rows for item in row if isinstance(item, PlayButton)]
    told = " ".join(filter(None, [_letters_explained(moves), _points_explained(moves)]))
    return f"\n-# {told}" if told else ""


def part_rows(prompt: Prompt, target: BoardTarget, loaded: LoadedMatch, seat: Seat, path: str = "") -> Rows:
    """Return rows with a button for each part of a part, or for each of its moves if they are few."""
    part = part_at(prompt, path)
    parts = divide(prompt, part)
    if parts:
        return list(_part_rows(target, loaded, seat, parts, path))
    choices = {choice.text: choice for choice in try_moves(loaded.match, seat, part.moves)}
    names = short_names(prompt, part.moves, chosen=True)
    apart = False
    if part.place is not None and isinstance(prompt, SegmentPrompt) and not prompt.sides:
        ends = {text: next(end for end in text.split("-")[::-1] if end != part.place) for text in part.moves}
        apart = len({*ends.values()}) == len(ends)
        names = ends if apart else names
    buttons = {text: move_button(target, loaded, choice, names[text]) for text, choice in choices.items()}
    if part.window is not None:
        return [[buttons.get(str(cell)) or _gap(str(cell)) for cell in row] for row in part.window.cells]
    if apart:
        placed: dict[str, ui.Item[Any]] = {names[text]: button for text, button in buttons.items()}
        return [[*row] for row in as_on_board(placed, _gap, ACROSS)]
    return rows_of_buttons([*buttons.values()])


def _part_rows(
    target: BoardTarget, loaded: LoadedMatch, seat: Seat, parts: tuple[tuple[Part, ...], ...], path: str
) -> Iterator[list[ui.Item[Any]]]:
    alone = [part.name for row in parts for part in row if part.moves == (part.name,)]
    choices = {choice.text: choice for choice in try_moves(loaded.match, seat, alone)}
    index = 0
    for row in parts:
        items: list[ui.Item[Any]] = []
        for part in row:
            if part.name in choices:
                items.append(move_button(target, loaded, choices[part.name], part.name))
            elif part.moves:
                items.append(PartButton(target, loaded.shown, f"{path}{index}.", part.name))
            else:
                items.append(_gap(part.name))
            index += 1
        yield items


BLANK = "\N{ZERO WIDTH SPACE}"
"""The label of a button that fills a gap. Discord refuses an empty label."""


def _gap(name: str) -> ui.Button[Any]:
    """Return a disabled button without words that fills the place of a cell or part of this name."""
    return ui.Button(label=BLANK, disabled=True, custom_id=f"gap:{name}")


def _add_back(rows: Rows, prompt: Prompt, target: BoardTarget, loaded: LoadedMatch, path: str) -> None:
    """Add the button that leads back to the containing part, in the last row if it has room.

    The message of an exercise has a button that leads back to its board, and a public board has its buttons still.
    """
    *before, _ = path.split(".")[:-1] or [""]
    if path:
        if target.prefix and not before and not _offered(prompt):
            return
        back = PartButton(target, loaded.shown, "".join(f"{index}." for index in before), back=True)
    elif _offered(prompt) and loaded.stored.private:
        back = PartButton(target, loaded.shown, BOARD, back=True)
    else:
        return
    if len(rows[-1]) < ACROSS:
        rows[-1].append(back)
    else:
        rows.append([back])


def _offered(prompt: Prompt) -> tuple[str, ...]:
    """Return the moves that alone have buttons on the board: the cheapest lines, or cells all over the board."""
    if isinstance(prompt, CellPrompt):
        return prompt.spread
    return prompt.cheapest if isinstance(prompt, SegmentPrompt) else ()


def candidates_of(prompt: Prompt, part: Part) -> render.Candidates:
    """Return the marks in the picture of a part: places if the next buttons are places, otherwise moves."""
    parts = [it for row in divide(prompt, part) for it in row if it.moves]
    places = tuple(it.place for it in parts if it.place is not None)
    if places:
        places += tuple(it.name for it in parts if it.moves == (it.name,))
    outlines = tuple(_outline(it.window) for it in parts if it.window is not None)
    window = None if part.window is None else _outline(part.window)
    return render.Candidates(tuple(dict.fromkeys(places)) or part.moves, part.place, window, outlines)


def parts_on_board(loaded: LoadedMatch) -> tuple[render.Outline, ...]:
    """Return the parts of the board of which the player on turn chooses one first; none if there is another prompt."""
    seat = next((seat for seat in loaded.match.to_move if seat is not None), None)
    prompt = None if seat is None or loaded.secret else loaded.observe(seat).prompt
    return () if prompt is None else first_parts(prompt)


def first_parts(prompt: Prompt, room: int = IN_PRIVATE) -> tuple[render.Outline, ...]:
    """Return the parts of the board of which a player chooses one first; none if each move has a button.

    `room` is as in `each_has_button`.
    """
    if isinstance(prompt, StepPrompt) or each_has_button(prompt, room) or _offered(prompt):
        return ()
    return candidates_of(prompt, Part("", prompt.choices)).parts


def how_to_choose(prompt: Prompt, rows: Iterable[Iterable[ui.Item[Any]]]) -> str:
    """Return what the frames on a board, or the green ones of the buttons below it, mean; "" if there are none."""
    if first_parts(prompt):
        return "First choose a framed part of the board."
    if isinstance(prompt, SegmentPrompt) and not _offered(prompt) and not each_has_button(prompt):
        return f"Choose where your {prompt.noun} starts."
    moves = [item.item for row in rows for item in row if isinstance(item, PlayButton)]
    letters = _letters_explained(moves)
    green = prompt.green if any(it.style is discord.ButtonStyle.success for it in moves) else ""
    points = _points_explained(moves, won=not green)
    offered, whole = len(_offered(prompt)), len(prompt.choices)
    few = f"{offered} of {whole}"
    if isinstance(prompt, CellPrompt):
        few += f" {prompt.noun}s"
    elif any(_SIGNED.search(it.label or "") for it in moves):
        few = f"the cheapest {few}"
    shown = f"Here are {few}; **Others** has the rest." if 0 < offered < whole else ""
    return " ".join(filter(None, [letters, green, points, shown]))


def _points_explained(moves: Iterable[ui.Button[Any]], *, won: bool = True) -> str:
    """Return what the points on buttons mean, those that are won only if `won`; "" if there are none."""
    labels = [label for it in moves if (label := _SIGNED.search(it.label or ""))]
    gained, given = ([int(it[2]) for it in labels if (it[1] == "+") == plus] for plus in (True, False))
    told = []
    if won and gained:
        told.append(f"{_signed(min(gained))} wins you {_points(min(gained))}")
    if given and min(given) < max(given):
        told.append(f"{_signed(-min(given))} to {_signed(-max(given))}: points for your opponent")
    elif given:
        told.append(f"{_signed(-min(given))} gives your opponent {_points(min(given))}")
    return f"{', '.join(told)}." if told else ""


def _points(number: int) -> str:
    return "a point" if number == 1 else f"{number} points"


def _letters_explained(moves: Iterable[ui.Button[Any]]) -> str:
    """Return what the letters on buttons for lines mean; "" if there are none."""
    lettered = any(_LETTERED.fullmatch(it.label or "") for it in moves)
    return "The letters name the lines in the picture." if lettered else ""


def _outline(window: Window) -> render.Outline:
    return render.Outline(window.first, window.last)
