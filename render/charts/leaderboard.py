"""The picture of a leaderboard: ranks, names, scores and movement."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from render.board.page import WIDTH
from render.board.phrases import as_fit, counted
from render.board.players import cut_name, drawable_name
from render.board.text import ALT_LIMIT
from render.charts.computer_mark import computer
from render.engine import fonts
from render.engine.raster import png
from render.engine.scene import (
    Area,
    Disc,
    Face,
    Group,
    Mix,
    Point,
    Role,
    Scene,
    Shape,
    Stroke,
    Text,
    rectangle,
)

MEDALS = 3
"""The number of ranks with a medal."""


def medal(rank: int, at: Point, radius: float) -> Group:
    """Return the medal of a rank from 1 to MEDALS: a golden sun, a silver coin or a bronze shield, on ribbons."""
    number = Text((0, 0.16), str(rank), 1.0, Role.PALE if rank == 3 else Role.DEEP)
    return Group(f"medal {rank}", (*_RIBBONS, *_BODIES[rank - 1], number), at, radius)


def _sun() -> tuple[Point, ...]:
    return tuple(
        (reach * math.cos(math.pi * turn / 14), 0.14 + reach * math.sin(math.pi * turn / 14))
        for turn in range(28)
        for reach in ((0.86, 0.68)[turn % 2],)
    )


def _shield(more: float) -> tuple[Point, ...]:
    half, top, low, tip = 0.6 + more, -0.48 - more, 0.36 + more / 2, 0.8 + more
    return (-half, top), (half, top), (half, low), (0.0, tip), (-half, low)


_RIBBONS: tuple[Shape, ...] = (
    Area(((-0.62, -1), (-0.18, -1), (0.22, -0.1), (-0.22, -0.1)), Role.SEAT_2),
    Area(((0.62, -1), (0.18, -1), (-0.22, -0.1), (0.22, -0.1)), Role.SEAT_1),
)
_BODIES: tuple[tuple[Shape, ...], ...] = (
    (
        Area(_sun(), Role.DEEP),
        Group("", (Area(_sun(), Role.ACCENT),), (0, 0.013), 0.91),
    ),
    (
        Disc((0, 0.14), 0.74, Role.DEEP),
        Disc((0, 0.14), 0.67, Role.PALE),
    ),
    (
        Area(_shield(0.08), Role.PALE),
        Area(_shield(0.02), Role.CRUST),
        Stroke(_shield(-0.1), 0.04, Role.MEAT, wobble=0, closed=True),
    ),
)


NEWCOMER = "new"


@dataclass(frozen=True, slots=True)
class ChartRow:
    """A member's row; equal members share the `rank`.

    `climbed` is the number of ranks gained this week, negative for ranks lost, None for a member who is new this week.
    `sure` is False while the score is uncertain. `own` marks the viewer's row, `computer` a computer player. `names`
    are the member's names, the best first, of which the first that can be drawn is; without any it says "a member".
    """

    rank: int
    score: int
    games: int
    names: tuple[str, ...] = ()
    climbed: int | None = None
    sure: bool = True
    own: bool = False
    computer: bool = False


@dataclass(frozen=True, slots=True)
class LeaderboardChart:
    """A page of a leaderboard, best first, and below it the rows `around` the viewer's own if that is not on the page.

    `about` says where and when. `moving` is False for a leaderboard that shows no movement, `private` is False if not
    only the member in the marked row sees it.
    """

    title: str
    about: str
    rows: tuple[ChartRow, ...]
    around: tuple[ChartRow, ...] = ()
    moving: bool = True
    private: bool = True


_OWN = Mix(Role.ACCENT, 0.375)
"""The ground of the viewer's own row."""
_MARGIN = 50
_ROW = 68
_TOP = 226
_GAP = 44
_PLACE, _NAME, _SCORE, _SCALE, _CLIMBED, _GAMES = 84, (132, 406), 508, (556, 656), 720, 852
"""Columns: the middle of the rank, the ends of the name, the right end of the score, the ends of the scale, the middle
of the arrow, the right end of the games."""
NAMELESS = "a member"


def draw_leaderboard(chart: LeaderboardChart, theme: str = "paper") -> bytes:
    """Return the leaderboard as a PNG, 900 pixels wide. The same rows give the same bytes."""
    return png(leaderboard_scene(chart), theme)


def leaderboard_scene(chart: LeaderboardChart) -> Scene:
    bottom = _TOP + _ROW * len(chart.rows) + bool(chart.around) * (_GAP + _ROW * len(chart.around))
    everybody = (*chart.rows, *chart.around)
    scale = _Scale.of([row.score for row in everybody])
    shapes: list[Shape] = [*_head(chart), *scale.lines(_TOP - 12, bottom + 6)]
    y = _TOP + _ROW / 2
    for row in chart.rows:
        shapes += _row(row, y, scale, chart.moving)
        y += _ROW
    if chart.around:
        shapes += _break(y - _ROW / 2 + _GAP / 2)
        y += _GAP
        for row in chart.around:
            shapes += _row(row, y, scale, chart.moving)
            y += _ROW
    if any(not row.sure for row in everybody):
        note = "? and a hollow dot: few games so far, the rating can still change a lot"
        shapes.append(Text((WIDTH / 2, bottom + 42), note, 26, Role.MUTED))
        bottom += 44
    if any(row.computer for row in everybody):
        words = "a computer player"
        left = (WIDTH - fonts.width(words, Face.READ, 26)) / 2 + 20
        shapes.append(computer((left - 30, bottom + 42), 15, Role.SEAT_2, Role.PAGE))
        shapes.append(Text((left, bottom + 42), words, 26, Role.MUTED, anchor="l"))
        bottom += 44
    return Scene(WIDTH, round(bottom + 36), tuple(shapes))


def leaderboard_alt(chart: LeaderboardChart, limit: int = ALT_LIMIT) -> str:
    """Return the leaderboard in words, at most `limit` characters; rows that do not fit are left out."""
    own = "you" if chart.private else "marked"
    rows = (f"{_told(row, own, moving=chart.moving)}." for row in (*chart.rows, *chart.around))
    return as_fit(f"Leaderboard: {chart.title}, {chart.about}.", rows, limit)


def _told(row: ChartRow, own: str, *, moving: bool) -> str:
    who = cut_name(drawable_name(row.names), 34, _NAME[1] - _NAME[0])
    parts = [
        f"{row.rank}: {who + ', ' if who else ''}{row.score}",
        "" if row.sure else "uncertain",
        counted(row.games, "game"),
    ]
    if moving:
        parts.append(_climb(row.climbed))
    parts += ["computer player" if row.computer else "", own if row.own else ""]
    return ", ".join(filter(None, parts))


def _climb(climbed: int | None) -> str:
    if climbed is None:
        return NEWCOMER
    return "" if climbed == 0 else f"{'up' if climbed > 0 else 'down'} {abs(climbed)}"


def _head(chart: LeaderboardChart) -> Iterator[Shape]:
    size = fonts.fitted(chart.title, Face.TITLE, 100, WIDTH - 2 * _MARGIN)
    yield Text((_MARGIN, 72), chart.title, size, face=Face.TITLE, anchor="l")
    yield Text((_MARGIN, 138), chart.about, 30, Role.MUTED, anchor="l")
    y = _TOP - 32
    yield Text((_SCORE, y), "rating", 26, Role.MUTED, anchor="r")
    if chart.moving:
        yield Text((_CLIMBED, y), "week", 26, Role.MUTED)
    yield Text((_GAMES, y), "games", 26, Role.MUTED, anchor="r")
    yield Stroke(((_MARGIN, _TOP - 8), (WIDTH - _MARGIN, _TOP - 8)), 3, Role.INK, wobble=0.8)


@dataclass(frozen=True, slots=True)
class _Scale:
    """The positions of scores on the line of dots."""

    low: int
    high: int

    @classmethod
    def of(cls, scores: Sequence[int]) -> "_Scale":
        low, high = min(scores, default=1000), max(scores, default=1000)
        room = max(20, (high - low) // 10)
        return cls(low - room, high + room)

    def x(self, score: int) -> float:
        left, right = _SCALE
        return left + (right - left) * (score - self.low) / (self.high - self.low)

    def lines(self, top: float, bottom: float) -> Iterator[Shape]:
        """Yield a line at every round score, with its number above."""
        step = next(
            step
            for step in (50, 100, 200, 500, 1000, 2000, 5000, 10**9)
            if (self.high - self.low) / step <= 2
        )
        left, right = _SCALE
        for score in range(-(-self.low // step) * step, self.high + 1, step):
            x = self.x(score)
            yield Stroke(((x, top), (x, bottom)), 2, Role.GRID, wobble=0)
            if left + 20 <= x <= right - 20:
                yield Text((x, _TOP - 32), str(score), 24, Role.MUTED)


def _row(row: ChartRow, y: float, scale: _Scale, moving: bool) -> Iterator[Shape]:
    if row.own:
        yield Group("own", tuple(_band()), (0, y))
    if row.rank <= MEDALS:
        yield medal(row.rank, (_PLACE, y - 2), 31)
    else:
        size = fonts.fitted(str(row.rank), Face.READ, 36, 80)
        yield Text((_PLACE, y), str(row.rank), size)
    yield _name(row, y)
    score = f"{row.score}" if row.sure else f"{row.score}?"
    # The question mark stands to the right of the column, so that digits are in line.
    over = 0.0 if row.sure else fonts.width(score, Face.READ, 40) - fonts.width(str(row.score), Face.READ, 40)
    yield Text((_SCORE + over, y), score, 40, anchor="r")
    yield from _dot(row, (scale.x(row.score), y))
    if moving:
        yield from _arrow(row, y)
    size = fonts.fitted(str(row.games), Face.READ, 34, 74)
    yield Text((_GAMES, y), str(row.games), size, Role.INK if row.own else Role.MUTED, anchor="r")


def _name(row: ChartRow, y: float) -> Text:
    left, right = _NAME
    name = cut_name(drawable_name(row.names), 34, right - left)
    if name:
        return Text((left, y), name, 34, anchor="l")
    return Text((left, y), NAMELESS, 30, Role.INK if row.own else Role.MUTED, anchor="l")


def _dot(row: ChartRow, at: Point) -> Iterator[Shape]:
    ink, page = Role.INK if row.own else Role.SEAT_2, _OWN if row.own else Role.PAGE
    if row.computer:
        yield computer(at, 15, ink, page, hollow=not row.sure)
        return
    yield Disc(at, 12, ink)
    if not row.sure:
        yield Disc(at, 7.5, page)


def _arrow(row: ChartRow, y: float) -> Iterator[Shape]:
    climbed, ink = row.climbed, Role.INK
    if climbed is None:
        yield Text((_CLIMBED, y), NEWCOMER, 30, ink)
    elif climbed == 0:
        yield Stroke(((_CLIMBED - 14, y), (_CLIMBED + 14, y)), 4, ink if row.own else Role.MUTED, wobble=0.6)
    else:
        way = -1 if climbed > 0 else 1
        if not row.own:
            ink = Role.SEAT_2 if climbed > 0 else Role.SEAT_1
        x = _CLIMBED - 26
        yield Area(((x - 17, y - way * 13), (x + 17, y - way * 13), (x, y + way * 16)), ink)
        size = fonts.fitted(str(abs(climbed)), Face.READ, 34, 53)
        yield Text((x + 23, y), str(abs(climbed)), size, anchor="l")


def _band() -> Iterator[Shape]:
    left, right, half = _MARGIN - 16, WIDTH - _MARGIN + 16, _ROW / 2 - 3
    corners = rectangle(left, -half, right, half)
    yield Area(corners, _OWN, wobble=1.5)
    yield Stroke(corners, 3, Role.INK, wobble=1.2, closed=True)


def _break(y: float) -> Iterator[Shape]:
    """Yield a sign that ranks are left out here."""
    for off in (-26, 0, 26):
        yield Disc((_PLACE + off, y), 4.5, Role.MUTED)
    wave = tuple(
        (x, y + (7 if number % 2 else -7)) for number, x in enumerate(range(_PLACE + 60, WIDTH - _MARGIN, 22))
    )
    yield Stroke(wave, 2.5, Role.MUTED, wobble=0.5)
