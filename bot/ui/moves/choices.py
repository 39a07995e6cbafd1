"""Legal moves in words: their effects, their short names, and those that match a typed text."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import singledispatch
from itertools import pairwise

import render
from rules.core.errors import RuleError
from rules.core.game import Seat
from rules.core.match import Match
from rules.core.notation import Cell, read_cell
from rules.core.prompt import Prompt, SegmentPrompt

Way = tuple[int, int]
"""A direction: cells to the right and cells upwards."""

PLAIN = "\N{VARIATION SELECTOR-15}"
"""Keeps phones from showing the slanted arrows as coloured emoji beside the straight ones."""

ARROWS: Mapping[Way, str] = {
    (-1, 1): f"↖{PLAIN}", (0, 1): "↑", (1, 1): f"↗{PLAIN}",
    (-1, 0): "←", (1, 0): "→",
    (-1, -1): f"↙{PLAIN}", (0, -1): "↓", (1, -1): f"↘{PLAIN}",
}  # fmt: skip

_PARTS = re.compile(r"[a-z]+|[0-9]+")
_TURNED = re.compile(r"(?<![a-z0-9])([0-9]+) ?([a-z])(?![a-z])")


@dataclass(frozen=True, slots=True)
class Choice:
    """A legal move as canonical text, with its effect in a few words ("" if it has none).

    `gain` is the number of points that the player wins by it, less those that others win. Points that every choice wins
    are not counted.
    """

    text: str
    effect: str
    gain: int


def describe_moves(match: Match, seat: Seat, texts: Iterable[str]) -> list[Choice]:
    """Return these legal moves of `seat` with their effects. Each move is played for this, in some milliseconds.

    If all of several moves have the same effect, it is left out.
    """
    found = [_choice(match, seat, text) for text in texts]
    usual = min((own for _, own in found), default=0) if len(found) > 1 else 0
    choices = [replace(choice, gain=choice.gain - usual) for choice, _ in found]
    if len({choice.effect for choice in choices}) == 1 < len(choices):
        return [replace(choice, effect="") for choice in choices]
    return choices


def _choice(match: Match, seat: Seat, text: str) -> tuple[Choice, int]:
    """Return the choice with the points that every choice wins, and the points that its player wins."""
    after = match.play(seat, text)
    _, _, effect = render.caption(after.observe(None)).partition(", ")
    if not match.scores or not after.scores:
        return Choice(text, effect, 0), 0
    changes = [new - old for old, new in zip(match.scores, after.scores, strict=True)]
    own = changes.pop(seat)
    return Choice(text, effect, own - sum(changes)), own


@singledispatch
def short_names(prompt: Prompt, moves: Sequence[str], *, chosen: bool = False) -> Mapping[str, str]:
    """Return the short name of each of these moves, by its canonical text.

    `chosen` is True if the member has chosen a part that all of them share.
    """
    return {move: move for move in moves}


@short_names.register
def _segments(prompt: SegmentPrompt, moves: Sequence[str], *, chosen: bool = False) -> Mapping[str, str]:
    """Name lines that share one end by the other end, after arrows if they bend.

    Lines from side to side are named by both ends unless the member has chosen the shared end.
    """
    if prompt.sides and not chosen:
        return {move: move for move in moves}
    parts = {move: move.split("-") for move in moves}
    if prompt.bends:
        alike = len({start for start, *_ in parts.values()}) == 1
        names = {move: _bent(places) if alike else move for move, places in parts.items()}
    else:
        shared = set.intersection(*map(set, parts.values()))
        names = {
            move: "-".join(place for place in places if place not in shared) for move, places in parts.items()
        }
    return (
        names
        if all(names.values()) and len(set(names.values())) == len(names)
        else {move: move for move in moves}
    )


def _bent(places: Sequence[str]) -> str:
    """Return the end of a line, after an arrow for each of its directions if it has two."""
    cells = [read_cell(place, place) for place in places]
    ways = "".join(ARROWS[_way(*leg)] for leg in pairwise(cells)) if len(cells) > 2 else ""
    return f"{ways} {places[-1]}".strip()


def _way(start: Cell, end: Cell) -> tuple[int, int]:
    return _sign(end.column - start.column), _sign(end.row - start.row)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def matching_moves(match: Match, seat: Seat, typed: str, most: int) -> list[str]:
    """Return at most `most` legal moves that match what `seat` has typed.

    First comes the move that the text already means, then the moves that begin with it, then those that contain it. The
    text is read as freely as a move: `C 3`, `c3` and `3c` find c3; `17-` finds moves from 17, but none from 170.
    """
    legal = match.legal() or ()
    if not typed.strip():
        return list(legal[:most])
    plain = _TURNED.sub(r"\2\1", typed.lower())
    typed_parts = [part for part in _PARTS.findall(plain) if part != "to"]
    ended = bool(typed_parts) and not plain.rstrip().endswith(typed_parts[-1])
    matched = [(_index(_PARTS.findall(text), typed_parts, ended), text) for text in legal]
    beginning = [text for index, text in matched if index == 0]
    inside = [text for index, text in matched if index is not None and index > 0]
    return list(dict.fromkeys([*_meant(match, seat, typed), *beginning, *inside]))[:most]


def _index(parts: Sequence[str], typed_parts: Sequence[str], ended: bool) -> int | None:
    """Return the index at which the typed parts occur in a move; the last may be incomplete unless it `ended`."""
    if not typed_parts:
        return None
    *before, last = typed_parts
    for start in range(len(parts) - len(before)):
        final = parts[start + len(before)]
        if list(parts[start : start + len(before)]) == before and (
            final == last if ended else final.startswith(last)
        ):
            return start
    return None


def _meant(match: Match, seat: Seat, typed: str) -> Iterable[str]:
    """Return the move that the text already means, if it is legal."""
    try:
        text = match.play(seat, typed).log[-1].text
    except RuleError:
        return []
    return [text] if text in (match.legal() or ()) else []
