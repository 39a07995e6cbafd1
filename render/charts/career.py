"""The pictures of a member's record, and of the results of two members against each other.

A record has the name, the score over time, results by game or seat, streaks and badges.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from render.board.areas import hatch
from render.board.page import WIDTH
from render.board.phrases import as_fit
from render.board.seats import SEAT_MARKS, Item, piece, seat_item, set_centred, space, text_item
from render.board.text import ALT_LIMIT
from render.charts.computer_mark import computer
from render.engine import fonts
from render.engine.raster import png
from render.engine.scene import Area, Disc, Face, Group, Point, Role, Scene, Shape, Stroke, Text, rectangle
from render.engine.theme import SEATS
from render.marks import badge, mark_of
from rules.core.game import Seat
from rules.games import find


@dataclass(frozen=True, slots=True)
class Tally:
    """Games won, drawn and lost; `of` is the title of a game, or a seat in one. `game` is the key of such a game."""

    of: str | Seat
    won: int
    drawn: int
    lost: int
    game: str = ""

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost


@dataclass(frozen=True, slots=True)
class Streak:
    """Games in a row: the number `now`, and the `most` ever."""

    now: int = 0
    most: int = 0


@dataclass(frozen=True, slots=True)
class CareerChart:
    """A member's record in all games or in one.

    `scores` holds times and scores after the first rated game, the last and some between, the oldest first. `wins`
    counts games won in a row, `unbeaten` games won or drawn in a row. `computer` is True for a computer player. `name`
    is that of the member, "" if it is not to be shown. `badges` are the keys of the achievements that were earned.
    """

    title: str
    about: str
    scores: tuple[tuple[datetime, int], ...]
    sure: bool
    tallies: tuple[Tally, ...]
    wins: Streak
    unbeaten: Streak
    computer: bool = False
    name: str = ""
    badges: tuple[str, ...] = ()


_MARGIN = 50
_LEFT, _RIGHT = 138, WIDTH - 66
_HIGH = 100
"""Page units between the lowest and the highest score of the graph."""
_TEXT = 34
"""The size of the usual text, which can be read in a picture 250 pixels wide."""
_ROW, _NUMBERS = 52, 206
"""Page units: the height of a line of results, and the room for its numbers."""
_COLUMNS = 2
"""Results side by side."""
_WIDE, _BETWEEN = (WIDTH - 2 * _MARGIN) / _COLUMNS, 24.0
"""Page units: the width of a result, with the gap to its right."""
_DATE = "%-d %b %Y"
_ACROSS, _BADGE = 16, 61.0
"""The most badges in a row, and the greatest distance between them."""


def draw_career(career: CareerChart, theme: str = "paper") -> bytes:
    """Return the picture as a PNG, 900 pixels wide. The same record gives the same bytes."""
    return png(career_scene(career), theme)


def career_scene(career: CareerChart) -> Scene:
    """Return the scene of a member's record, wider than high, so that a low picture can be read."""
    shapes: list[Shape] = list(_head(career))
    y = 158.0
    if len(career.scores) > 1:
        shapes += _graph(career, y)
        y += _HIGH + 58
    y += 28
    shapes.append(Text((_MARGIN, y), _streaks(career), _TEXT, anchor="l"))
    most = max((tally.games for tally in career.tallies), default=0)
    if most:
        shapes.append(Text((WIDTH - _MARGIN, y), "won–drawn–lost", _TEXT, Role.MUTED, anchor="r"))
    if told := _unbeaten(career):
        y += 44
        shapes.append(Text((_MARGIN, y), told, _TEXT, anchor="l"))
    y += 32
    if most:
        rows = -(-len(career.tallies) // _COLUMNS)
        for number, tally in enumerate(career.tallies):
            column, row = divmod(number, rows)
            shapes += _record(tally, (_MARGIN + column * _WIDE, y + (row + 0.5) * _ROW), most)
        y += rows * _ROW
    if career.badges:
        apart = min(_BADGE, (WIDTH - 2 * _MARGIN) / min(_ACROSS, len(career.badges)))
        for number, key in enumerate(career.badges):
            row, column = divmod(number, _ACROSS)
            at = _MARGIN + apart / 2 + apart * column, y + 6 + apart * (row + 0.5)
            shapes.append(badge(key, at, 0.44 * apart, won=True))
        y += apart * -(-len(career.badges) // _ACROSS) + 6
    return Scene(WIDTH, round(y + 16), tuple(shapes))


def career_alt(career: CareerChart, limit: int = ALT_LIMIT) -> str:
    """Return the picture in words, at most `limit` characters; sentences that do not fit are left out."""
    about = f"computer player · {career.about}" if career.computer else career.about
    parts = [", ".join(filter(None, (career.name, career.title, about)))]
    if career.scores:
        (begun, first), (_, last) = career.scores[0], career.scores[-1]
        uncertain = "" if career.sure else ", uncertain"
        parts.append(f"Rating {last}{uncertain}; it was {first} after the first game, on {begun:{_DATE}}")
    parts += filter(None, (_streaks(career), _unbeaten(career)))
    for tally in career.tallies:
        name = tally.of if isinstance(tally.of, str) else f"As {SEAT_MARKS[tally.of].word}"
        parts.append(f"{name}: {tally.won} won, {tally.drawn} drawn, {tally.lost} lost")
    return as_fit(f"{parts[0]}.", (f"{part}." for part in parts[1:]), limit)


def _about(career: CareerChart) -> str:
    """Return the line below the name or the title."""
    if career.name:
        return f"{career.title} · {career.about}"
    return f"computer player · {career.about}" if career.computer else career.about


def _streaks(career: CareerChart) -> str:
    run = career.wins
    return f"Wins in a row: {run.now} · best run {run.most}" if run.most else "No win yet"


def _unbeaten(career: CareerChart) -> str:
    """Return the longest streak without a loss; "" if it is no longer than the wins in a row."""
    run = career.unbeaten
    return "" if run == career.wins else f"Games without a loss: {run.now} · best run {run.most}"


def _head(career: CareerChart) -> Iterator[Shape]:
    right = WIDTH - _MARGIN
    if career.scores:
        score = str(career.scores[-1][1]) + ("" if career.sure else "?")
        yield Text((right, 62), score, 76, anchor="r")
        right -= round(fonts.width(score, Face.READ, 76)) + 40
    title = career.name or career.title
    size = fonts.fitted(title, Face.TITLE, 92, right - _MARGIN)
    yield Text((_MARGIN, 56), title, size, face=Face.TITLE, anchor="l")
    left = _MARGIN
    if career.computer:
        yield computer((_MARGIN + 16, 124), 15, Role.SEAT_2, Role.PAGE)
        left += 50
    about = _about(career)
    size = fonts.fitted(about, Face.READ, _TEXT, WIDTH - _MARGIN - left)
    yield Text((left, 122), about, size, Role.MUTED, anchor="l")


def _graph(career: CareerChart, top: float) -> Iterator[Shape]:
    """Yield the score over time; games that ended at the same moment stand above each other."""
    values = [score for _, score in career.scores]
    low, high = min(values), max(values)
    room = max(10, (high - low) // 12)
    low, high = low - room, high + room
    first, last = career.scores[0][0], career.scores[-1][0]
    span = (last - first).total_seconds() or 1.0
    bottom = top + _HIGH

    def place(at: datetime, score: int) -> Point:
        across = (at - first).total_seconds() / span
        return _LEFT + (_RIGHT - _LEFT) * across, bottom - _HIGH * (score - low) / (high - low)

    for score in _round_scores(low, high):
        _, y = place(first, score)
        yield Stroke(((_LEFT - 8, y), (WIDTH - _MARGIN, y)), 2, Role.GRID, wobble=0)
        yield Text((_LEFT - 20, y), str(score), _TEXT, Role.MUTED, anchor="r")
    points = _thinned([place(at, score) for at, score in career.scores])
    line = Stroke(tuple(points), 6, Role.SEAT_2, wobble=0)
    under = (*points, (points[-1][0], bottom), (points[0][0], bottom))
    yield from (
        Stroke(stroke.points, 2, Role.GRID, wobble=0.5) for stroke in hatch((under,), 16, 60, 2, Role.GRID)
    )
    yield Group("graph", (line,))
    yield Disc(points[-1], 13, Role.SEAT_2)
    if not career.sure:
        yield Disc(points[-1], 8, Role.PAGE)
    yield Stroke(((_LEFT - 8, bottom), (WIDTH - _MARGIN, bottom)), 3, Role.INK, wobble=0.8)
    yield Text((_LEFT - 8, bottom + 32), first.strftime(_DATE), _TEXT, Role.MUTED, anchor="l")
    if first.date() != last.date():
        yield Text((WIDTH - _MARGIN, bottom + 32), last.strftime(_DATE), _TEXT, Role.MUTED, anchor="r")


def _round_scores(low: int, high: int) -> range:
    step = next(step for step in (10, 20, 50, 100, 200, 500, 1000, 10**9) if (high - low) / step <= 2.5)
    return range(-(-low // step) * step, high + 1, step)


def _thinned(points: Sequence[Point]) -> list[Point]:
    """Points at least a pixel apart, always with the first and the last."""
    kept = [points[0]]
    for point in points[1:]:
        if math.dist(point, kept[-1]) >= 1:
            kept.append(point)
    return [*kept, points[-1]]


def _record(tally: Tally, at: Point, most: int) -> Iterator[Shape]:
    """Yield a game or seat, its numbers, and a bar of all games: won ones filled, drawn ones hatched, lost ones empty.

    `at` is the left end of the line, and `most` the number of games of the longest bar.
    """
    x, y = at
    if isinstance(tally.of, str):
        yield Group("", mark_of(tally.game), (x + 22, y), 22)
    else:
        yield piece(f"seat {tally.of}", tally.of, (x + 22, y), 22)
    numbers = (tally.won, tally.drawn, tally.lost)
    words = "–".join(map(_short, numbers))
    yield Text((x + 60, y), words, fonts.fitted(words, Face.READ, _TEXT, _NUMBERS), anchor="l")
    if not tally.games:
        return
    start = x + 60 + _NUMBERS + 14
    unit = (x + _WIDE - _BETWEEN - start) / most
    top, bottom = y - 11, y + 11
    ends = [start + unit * sum(numbers[:count]) for count in range(4)]
    won, drawn, whole = (
        rectangle(left, top, right, bottom)
        for left, right in ((ends[0], ends[1]), (ends[1], ends[2]), (ends[0], ends[3]))
    )
    if tally.won:
        yield Area(won, Role.SEAT_2)
    if tally.drawn:
        yield from hatch((drawn,), 9, 60, 3, Role.SEAT_2, wobble=0)
        if tally.lost:
            yield Stroke((drawn[1], drawn[2]), 3, Role.SEAT_2, wobble=0)
    yield Stroke(whole, 3, Role.SEAT_2, wobble=0, closed=True)


def _short(number: int) -> str:
    """Return a number with at most four characters: `9999`, `12k`."""
    return str(number) if number < 10_000 else f"{number // 1000}k"


@dataclass(frozen=True, slots=True)
class VersusChart:
    """The results of two players against each other, as won, drawn and lost by the first of them.

    `names` are those of both players in pictures, "" for a name that is not to be shown. `total` counts all games, and
    `tallies` those of each game.
    """

    names: tuple[str, str]
    total: Tally
    tallies: tuple[Tally, ...]


_VERSUS_ROW = 104
_SMALLEST = 24
"""The size below which the title of a game is replaced by its short name."""
_BAR = 18
"""The height of a bar."""


def draw_versus(chart: VersusChart, theme: str = "paper") -> bytes:
    """Return the picture as a PNG, 900 pixels wide. The same results give the same bytes."""
    return png(versus_scene(chart), theme)


def versus_scene(chart: VersusChart) -> Scene:
    shapes: list[Shape] = [*_versus_head(chart)]
    y = 330.0
    for tally in chart.tallies:
        shapes += _row(tally, y)
        y += _VERSUS_ROW
    return Scene(WIDTH, round(y - 16), tuple(shapes))


def versus_alt(chart: VersusChart) -> str:
    """Return the picture in words, at most ALT_LIMIT characters; sentences that do not fit are left out."""
    first, second = (name or SEAT_MARKS[seat].word for seat, name in enumerate(chart.names))
    rows = (f"{tally.of}: {_counts(tally)}." for tally in chart.tallies)
    return as_fit(f"{first} against {second}: {_counts(chart.total)}.", rows, ALT_LIMIT)


def _counts(tally: Tally) -> str:
    drawn = f", {tally.drawn} drawn" if tally.drawn else ""
    return f"{tally.won} to {tally.lost}{drawn}"


def _versus_head(chart: VersusChart) -> Iterator[Shape]:
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
