"""Marks of rejected moves, as a teacher corrects them: a move is crossed out, the reasons are ringed.

Many moves are tied to their reasons.
"""

import math
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise

from render.board.game_board import Board, Spot, draw_board
from render.board.seats import Item, space, text_item
from render.engine.scene import Disc, Group, Point, Ring, Role, Shape, Stroke
from rules.core.match import Observation
from rules.core.notation import joined


@dataclass(frozen=True, slots=True)
class RejectedMove:
    """A move that the rules reject, as canonical text, with the canonical names of the reasons.

    The text is None if the move is not to be marked. Reasons are the cells, pieces or lines that forbid the move.
    """

    move: str | None
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RejectedMoves:
    """Several moves that the rules would reject, each with its reasons, for a player who asks for the reasons."""

    moves: tuple[RejectedMove, ...]


def rejection_text(rejected: RejectedMove | RejectedMoves) -> str:
    """Return a sentence or two about the marks of rejected moves."""
    if isinstance(rejected, RejectedMoves):
        each = [f"{one.move} (because of {joined(one.marks)})" for one in rejected.moves]
        return f"Crossed out, since they are not allowed: {joined(each)}."
    crossed = f"The refused move, {rejected.move}, is crossed out." if rejected.move is not None else ""
    ringed = f"The reason is ringed: {joined(rejected.marks)}." if rejected.marks else ""
    return f"{crossed} {ringed}".strip()


_LINE, _EDGE = 6.0, 4.0
"""Page units: the width of the pencil, and of the edge of the page's colour on either side of it."""
_SMALLEST = 15.0
"""Page units: the least radius of a ring."""
_DASH = 21.0
"""Page units from one dash to the next."""


def visible_part(observation: Observation, rejected: RejectedMove) -> RejectedMove | None:
    """Return the parts of a rejected move that the board can mark, or None."""
    spot_of = draw_board(observation.board, observation).spot
    move = rejected.move if rejected.move is not None and spot_of(rejected.move) else None
    marks = tuple(mark for mark in rejected.marks if spot_of(mark))
    return RejectedMove(move, marks) if move is not None or marks else None


def marked(shown: Board, rejected: RejectedMove | RejectedMoves, unit: float) -> Board:
    """Return the board with rejected moves marked on it; `unit` is the number of page units in a unit of the board.

    Names without a spot on the board are left out. A line below explains the marks.
    """
    if isinstance(rejected, RejectedMoves):
        return _all_marked(shown, rejected, _Pencil(unit))
    pen = _Pencil(unit)
    move = None if rejected.move is None else shown.spot(rejected.move)
    blamed = [(mark, spot) for mark in rejected.marks if (spot := shown.spot(mark))]
    shapes: list[Shape] = []
    line: list[Item] = []
    for mark, spot in blamed:
        shapes.append(_group(f"blame {mark}", spot, pen.loop(spot)))
    if move is not None:
        crossed = move
        if len(move.points) == 1 and any(spot.points == move.points for _, spot in blamed):
            # The cross stands beside what is there already.
            (x, y), aside = move.middle, 0.9 * move.reach
            crossed = Spot(((x + aside, y + aside),), 0.5 * move.reach)
        shapes.append(_group(f"refused {rejected.move}", move, pen.crossed_out(crossed)))
        line += _said(_Pencil(1).crossed_out(Spot(((20, 0),), 20)), "your move, refused")
    if blamed:
        line += [space(50 if line else 0), *_said(_Pencil(1).loop(Spot(((20, 0),), 16)), "the reason")]
    return replace(shown, shapes=(*shown.shapes, *shapes), correction=tuple(line))


def _all_marked(shown: Board, rejected: RejectedMoves, pen: "_Pencil") -> Board:
    """Cross out each move, and tie it to each of its reasons."""
    shapes: list[Shape] = []
    for one in rejected.moves:
        move = shown.spot(one.move) if one.move is not None else None
        if move is None:
            continue
        reasons = [spot for mark in one.marks if (spot := shown.spot(mark))]
        ties = (shape for spot in reasons for shape in pen.tie(move.middle, spot.middle))
        shapes.append(_group(f"refused {one.move}", move, chain(ties, pen.crossed_out(move))))
    line = [
        *_said(_Pencil(1).crossed_out(Spot(((20, 0),), 20)), "not allowed"),
        space(50),
        *_said(_Pencil(1).tie((-20, 0), (60, 0)), "the reasons"),
    ]
    return replace(shown, shapes=(*shown.shapes, *shapes), correction=tuple(line))


def _said(sample: Iterator[Shape], meaning: str) -> list[Item]:
    return [Item(40, tuple(sample)), space(14), text_item(meaning, 34)]


def _group(name: str, spot: Spot, shapes: Iterator[Shape]) -> Group:
    # The origin of the group is the spot, so its shapes are moved back.
    x, y = spot.middle
    return Group(name, (Group("", tuple(shapes), (-x, -y)),), (x, y))


@dataclass(frozen=True, slots=True)
class _Pencil:
    """The correcting pencil on a board whose unit is `unit` page units."""

    unit: float

    def crossed_out(self, spot: Spot) -> Iterator[Shape]:
        """Dashes around a point or along a line, and a cross on them."""
        if len(spot.points) == 1:
            radius = max(spot.reach, _SMALLEST / self.unit)
            dashes = max(7, round(2 * math.pi * radius * self.unit / _DASH))
            for width, ink in self._layers():
                yield Ring(spot.points[0], radius, width, ink, dashes)
            yield from self._cross(spot.points[0], 0.62 * radius)
        else:
            lines = list(self._dashes(spot.points))
            for width, ink in self._layers():
                yield from (Stroke(line, width, ink, wobble=0.4) for line in lines)
            yield from self._cross(spot.middle, 1.5 * _SMALLEST / self.unit)

    def loop(self, spot: Spot) -> Iterator[Shape]:
        """Yield a loop around a point or a line, with ends that pass each other. Separate places have a loop each."""
        if spot.apart:
            for point in spot.points:
                yield from self.loop(Spot((point,), spot.reach))
            return
        reach = max(1.18 * spot.reach, _SMALLEST / self.unit)
        outline = tuple(_around_point(spot.points[0], reach))
        if len(spot.points) > 1:
            outline = tuple(_around_line(spot.points, reach))
        for width, ink in self._layers():
            yield Stroke(outline, width, ink, wobble=0)

    def tie(self, start: Point, end: Point) -> Iterator[Shape]:
        """Yield a short stroke with a thick end, over the middle of the way from a move to one of its reasons."""
        (ax, ay), (bx, by) = start, end
        near, far = ((ax + (bx - ax) * share, ay + (by - ay) * share) for share in (0.44, 0.7))
        for width, ink in self._layers():
            yield Stroke((near, far), width, ink, wobble=0)
            yield Disc(far, 0.85 * width, ink)

    def _layers(self) -> Iterator[tuple[float, Role]]:
        yield (_LINE + 2 * _EDGE) / self.unit, Role.PAGE
        yield _LINE / self.unit, Role.CORRECTION

    def _cross(self, at: Point, reach: float) -> Iterator[Stroke]:
        (x, y), lean = at, 0.12 * reach
        strokes = (
            ((x - reach, y - reach + lean), (x + reach - lean, y + reach)),
            ((x + reach, y - reach - lean), (x - reach, y + reach - lean)),
        )
        for width, ink in self._layers():
            yield from (Stroke(stroke, 1.2 * width, ink, wobble=0.6) for stroke in strokes)

    def _dashes(self, points: tuple[Point, ...]) -> Iterator[tuple[Point, Point]]:
        for (ax, ay), (bx, by) in pairwise(points):
            count = max(1, round(math.dist((ax, ay), (bx, by)) * self.unit / _DASH))
            for dash in range(count):
                shares = (dash + 0.2) / count, (dash + 0.7) / count
                start, end = ((ax + (bx - ax) * share, ay + (by - ay) * share) for share in shares)
                yield start, end


def _around_point(at: Point, radius: float) -> Iterator[Point]:
    """Yield the points of a loop that goes around a little more than once and slowly moves outwards."""
    steps = 48
    for step in range(steps + 1):
        angle = math.radians(-140 + 400 * step / steps)
        reach = radius * (0.98 + 0.12 * step / steps)
        yield at[0] + reach * math.cos(angle), at[1] + 0.96 * reach * math.sin(angle)


def _around_line(points: tuple[Point, ...], reach: float) -> Iterator[Point]:
    """Yield a loop around a line, bends included, that begins beside its middle.

    The loop passes its own beginning, a little further out at the end.
    """
    near, far = (
        _walked((*_side(points[::-1], radius), *_side(points, radius))) for radius in (reach, 1.3 * reach)
    )
    length = near[-1][0]
    start = 0.6 * sum(math.dist(*step) for step in pairwise(points)) / length
    steps = max(48, round(16 * length / reach))
    for step in range(steps + 1):
        turn = 1.12 * step / steps
        # Outwards only where the line passes its own beginning.
        out = max(0.0, (turn - 0.9) / 0.22)
        (x1, y1), (x2, y2) = (_at_share(ring, (start + turn) % 1) for ring in (near, far))
        yield x1 + (x2 - x1) * out, y1 + (y2 - y1) * out


def _side(points: Sequence[Point], reach: float) -> Iterator[Point]:
    """Yield a line along the right side of another line, seen from its start, and in a half circle around its end."""
    angles = [math.atan2(by - ay, bx - ax) for (ax, ay), (bx, by) in pairwise(points)]
    turns = [(after - before + math.pi) % math.tau - math.pi for before, after in pairwise(angles)]
    yield _off(points[0], angles[0] + math.pi / 2, reach)
    for at, angle, turn in zip(points[1:], angles, [*turns, -math.pi], strict=True):
        if turn > 0:
            yield _off(at, angle + (math.pi + turn) / 2, reach / math.cos(turn / 2))
        else:
            count = max(1, math.ceil(-turn / _ARC))
            yield from (
                _off(at, angle + math.pi / 2 + turn * step / count, reach) for step in range(count + 1)
            )


_ARC = math.pi / 32
"""The angle between two points of a round bend."""


def _off(at: Point, angle: float, reach: float) -> Point:
    return at[0] + reach * math.cos(angle), at[1] + reach * math.sin(angle)


def _walked(ring: tuple[Point, ...]) -> list[tuple[float, Point]]:
    """Return the points of a closed line, the first one at both ends, each behind the length of the way to it."""
    found, length = [(0.0, ring[0])], 0.0
    for one, other in pairwise((*ring, ring[0])):
        length += math.dist(one, other)
        found.append((length, other))
    return found


def _at_share(ring: Sequence[tuple[float, Point]], share: float) -> Point:
    """Return the point at a share of the length of a closed line."""
    along = share * ring[-1][0]
    last = max(1, bisect_left(ring, (along,)))
    (before, (ax, ay)), (after, (bx, by)) = ring[last - 1 : last + 1]
    part = (along - before) / ((after - before) or 1.0)
    return ax + (bx - ax) * part, ay + (by - ay) * part
