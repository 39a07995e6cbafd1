"""The picture of the results of two players against each other: the score, and a row for each game."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from render.board.areas import hatch
from render.board.page import WIDTH
from render.board.phrases import as_fit
from render.board.seats import SEAT_MARKS, Item, piece, seat_item, set_centred, space, text_item
from render.board.text import ALT_LIMIT
from render.charts.career import Tally
from render.engine import fonts
from render.engine.raster import png
from render.engine.scene import Area, Face, Group, Role, Scene, Shape, Stroke, Text, rectangle
from render.engine.theme import SEATS
from render.marks import mark_of
from rules.games import find


@dataclass(frozen=True, slots=True)
class VersusChart:
    """The results of two players against each other, as won, drawn and lost by the first of them.

    `names` are those of both players in pictures, "" for a name that is not to be shown. `total` counts all games, and
    `tallies` those of each game.
    """

    names: tuple[str, str]
    total: Tally
    tallies: tuple[Tally, ...]


_MARGIN = 50
_ROW = 104
_SMALLEST = 24
"""The size below which the title of a game is replaced by its short name."""
_BAR = 18
"""The height of a bar."""


def draw_versus(chart: VersusChart, theme: str = "paper") -> bytes:
    """Return the picture as a PNG, 900 pixels wide. The same results give the same bytes."""
    return png(versus_scene(chart), theme)


def versus_scene(chart: VersusChart) -> Scene:
    shapes: list[Shape] = [*_head(chart)]
    y = 330.0
    for tally in chart.tallies:
        shapes += _row(tally, y)
        y += _ROW
    return Scene(WIDTH, round(y - 16), tuple(shapes))


def versus_alt(chart: VersusChart, limit: int = ALT_LIMIT) -> str:
    """Return the picture in words, at most `limit` characters; sentences that do not fit are left out."""
    first, second = (name or SEAT_MARKS[seat].word for seat, name in enumerate(chart.names))
    rows = (f"{tally.of}: {_counts(tally)}." for tally in chart.tallies)
    return as_fit(f"{first} against {second}: {_counts(chart.total)}.", rows, limit)


def _counts(tally: Tally) -> str:
    drawn = f", {tally.drawn} drawn" if tally.drawn else ""
    return f"{tally.won} to {tally.lost}{drawn}"


def _head(chart: VersusChart) -> Iterator[Shape]:
    """Yield the names at both sides, the score between them, and the number of games."""
    for seat, name in enumerate(chart.names):
        # Each name has half of the page, with its mark at the edge.
        x = _MARGIN + 30 if seat == 0 else WIDTH - _MARGIN - 30
        yield piece(f"player {seat}", seat, (x, 66), 30)
        if name:
            size = fonts.fitted(name, Face.TITLE, 72, WIDTH / 2 - _MARGIN - 120)
            at = (x + 46, 66) if seat == 0 else (x - 46, 66)
            yield Text(at, name, size, face=Face.TITLE, anchor="l" if seat == 0 else "r")
    score: Sequence[Item] = (
        seat_item("won", 0, 22),
        space(20),
        text_item(f"{chart.total.won} : {chart.total.lost}", 110, face=Face.TITLE),
        space(20),
        seat_item("lost", 1, 22),
    )
    yield from set_centred(score, (WIDTH / 2, 170))
    games = f"{chart.total.games} rated {'game' if chart.total.games == 1 else 'games'}"
    told = f"{games}, {chart.total.drawn} drawn" if chart.total.drawn else games
    yield from set_centred([text_item(told, 30, Role.MUTED)], (WIDTH / 2, 246))
    yield Stroke(((_MARGIN, 280), (WIDTH - _MARGIN, 280)), 3, Role.INK, wobble=0.8)


def _row(tally: Tally, y: float) -> Iterator[Shape]:
    """Yield the score in one game, and a bar: games won from the left, games lost from the right, draws between."""
    left, right = _MARGIN, WIDTH - _MARGIN
    yield Group("", mark_of(tally.game), (left + 22, y), 22)
    counts = f"{tally.won} : {tally.lost}"
    if tally.drawn:
        counts += f", {tally.drawn} drawn"
    # Beside long numbers, only the short name of a game has room.
    sheet = find(tally.game).sheet
    size = fonts.fitted(counts, Face.READ, 32, 300)
    yield Text((right, y), counts, size, anchor="r")
    room = right - left - 72 - fonts.width(counts, Face.READ, size)
    title = sheet.title if fonts.fitted(sheet.title, Face.READ, 32, room) >= _SMALLEST else sheet.name
    yield Text((left + 52, y), title, fonts.fitted(title, Face.READ, 32, room), anchor="l")
    unit = (right - left) / tally.games
    ends = [left, left + unit * tally.won, left + unit * (tally.won + tally.drawn), right]
    top, bottom = y + 28, y + 28 + _BAR
    won, drawn, lost = (rectangle(low, top, high, bottom) for low, high in pairwise(ends))
    if tally.won:
        yield Area(won, SEATS[0])
    if tally.drawn:
        yield from hatch((drawn,), 9, 60, 3, Role.MUTED, wobble=0)
    if tally.lost:
        yield Area(lost, SEATS[1])
    yield Stroke(rectangle(left, top, right, bottom), 3, Role.INK, wobble=0, closed=True)
