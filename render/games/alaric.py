"""Alaric: the ring."""

import math

from render.board import Board, board
from render.scene import Disc, Group, Point, Ring, Role, Shape, Stroke, Text
from render.seats import LOOKS, piece, who
from render.text import Twin, twin
from render.words import counted, joined, sentence, spans
from rules.core.match import Observation
from rules.games.alaric import AlaricView

_RADIUS = 330.0
"""Of the ring. A unit of this board is a unit of the page."""
_MIDDLE = (400.0, 400.0)
_ACROSS = 6
"""Cells in the top line of the text ring: 36 columns, which a phone still shows."""


@board.register
def picture(view: AlaricView, seen: Observation) -> Board:
    size = len(view.stones)
    stone = min(50.0, 0.44 * 2 * math.pi * _RADIUS / size)
    shapes: list[Shape] = [Ring(_MIDDLE, _RADIUS, 4, Role.GRID, hand=1)]
    for cell in range(1, size + 1):
        shapes += _cell(view, seen, cell, stone)
    shapes += _centre(view)
    return Board(800, 800, 1, tuple(shapes), scored=True, note=_note(view))


def _cell(view: AlaricView, seen: Observation, cell: int, radius: float) -> list[Shape]:
    at = _on_ring(view, cell, _RADIUS)
    owner = view.stones[cell - 1]
    shapes: list[Shape] = []
    number = Text(_on_ring(view, cell, _RADIUS + radius + 30), str(cell), _size(view), Role.MUTED)
    if owner is not None:
        if cell == view.last:
            shapes.append(Group("last", (Ring((0, 0), radius + 7, 5, Role.INK, hand=0.5),), at))
        return [*shapes, piece(f"stone {cell}", owner, at, radius), number]
    hollow = (Disc(at, radius, Role.PAGE), Ring(at, radius - 1.5, 3, Role.GRID, hand=0.5))
    if cell in view.forbidden:
        return [*hollow, *_forbidden(view, cell, at, radius), number]
    if _open(view, seen, cell):
        label = Text((0, 0), str(cell), min(40.0, radius * 1.05), Role.INK)
        return [*hollow, Group(f"choice {cell}", (label,), at)]
    return [*hollow, number]


def _forbidden(view: AlaricView, cell: int, at: Point, radius: float) -> list[Shape]:
    shapes: list[Shape] = []
    victim = _victim(view)
    if victim is not None:
        shapes.append(piece(f"taken {cell}", victim, at, radius, share=0.25))
    d = 0.5
    cross = (
        Stroke(((-d, -d), (d, d)), 0.12, Role.FORBIDDEN),
        Stroke(((d, -d), (-d, d)), 0.12, Role.FORBIDDEN),
    )
    shapes.append(Group(f"forbidden {cell}", cross, at, radius))
    return shapes


def _centre(view: AlaricView) -> list[Shape]:
    x, y = _MIDDLE
    first, second = (view.stones.count(seat) for seat in (0, 1))
    return [
        piece("score 0", 0, (x - 150, y - 10), 34),
        Text((x, y - 10), f"{first} : {second}", 92),
        piece("score 1", 1, (x + 150, y - 10), 34),
        Text((x, y + 66), "stones on the ring", 30, Role.MUTED),
    ]


def _on_ring(view: AlaricView, cell: int, radius: float) -> Point:
    angle = 2 * math.pi * (cell - 1) / len(view.stones)
    return _MIDDLE[0] + radius * math.sin(angle), _MIDDLE[1] - radius * math.cos(angle)


def _size(view: AlaricView) -> float:
    return 30.0 if len(view.stones) <= 25 else 26.0


def _open(view: AlaricView, seen: Observation, cell: int) -> bool:
    return seen.winners is None and cell in view.choices


def _victim(view: AlaricView) -> int | None:
    mover = None if view.last is None else view.stones[view.last - 1]
    return None if mover is None else 1 - mover


def _note(view: AlaricView) -> str:
    return "the same position for the third time" if view.endless else ""


@twin.register
def words(view: AlaricView, seen: Observation) -> Twin:
    owned = [[cell for cell, owner in enumerate(view.stones, 1) if owner == seat] for seat in (0, 1)]
    free = [cell for cell, owner in enumerate(view.stones, 1) if owner is None and cell not in view.forbidden]
    position = [f"{sentence(who(seat))[:-1]}: {spans(cells)}." for seat, cells in enumerate(owned)]
    if view.forbidden:
        position.append(f"Forbidden now: {spans(view.forbidden)}.")
    position.append(f"Empty: {spans(free)}.")
    position.append(f"A ring of {counted(len(view.stones), 'cell')}.")
    return Twin(tuple(position), _rows(view, seen), _LEGEND, _move(view), _note(view))


_LEGEND = f"{LOOKS[0].letter} first  {LOOKS[1].letter} second  + playable\nx forbidden  . empty  [ ] last"


def _move(view: AlaricView) -> str:
    taken = f", capturing {joined([str(cell) for cell in view.taken])}" if view.taken else ""
    return f"{view.last}{taken}"


def _rows(view: AlaricView, seen: Observation) -> tuple[str, ...]:
    """The ring bent into a rectangle, clockwise from the top left; of an odd ring a corner stays open."""
    tokens = [_token(view, seen, cell) for cell in range(1, len(view.stones) + 1)]
    size = len(tokens)
    across = min(_ACROSS, (size + 4) // 8 + 2, (size + 1) // 2)
    bottom = across - size % 2
    side = (size - across - bottom) // 2
    right, low, left = (
        tokens[across:][:side],
        tokens[across + side :][:bottom],
        tokens[across + side + bottom :],
    )
    gap = " " * (len(tokens[0]) * (across - 2)) if across > 1 else ""
    sides = [f"{west}{gap}{east}" for west, east in zip(reversed(left), right, strict=True)]
    corner = " " * len(tokens[0]) * (across - bottom)
    return "".join(tokens[:across]), *sides, corner + "".join(reversed(low))


def _token(view: AlaricView, seen: Observation, cell: int) -> str:
    owner = view.stones[cell - 1]
    if owner is not None:
        sign = LOOKS[owner].letter
    elif cell in view.forbidden:
        sign = "x"
    else:
        sign = "+" if _open(view, seen, cell) else "."
    return f"[{cell:2}{sign}] " if cell == view.last else f" {cell:2}{sign}  "
