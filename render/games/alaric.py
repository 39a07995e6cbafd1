"""Alaric: the ring."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from render.board.game_board import Board, Spot, draw_board
from render.board.phrases import counted, sentence, spans
from render.board.seats import SEAT_MARKS, Item, piece, seat_item, set_centred, space, text_item, who
from render.board.text import Description, describe
from render.engine.icons import Icon, arc, pencil
from render.engine.scene import SMALLEST_TEXT, Area, Disc, Group, Mix, Point, Ring, Role, Shape, Stroke, Text
from render.engine.theme import SEATS
from rules.core.game import Seat
from rules.core.match import Observation
from rules.core.notation import joined
from rules.games.alaric import AlaricView, captured

_SIZE = 800.0
"""The side of the board, in page units, which are its units."""
_MIDDLE = (_SIZE / 2, _SIZE / 2)
_TURN = (_SIZE / 2, _SIZE / 2 - 128)
"""The middle of the line that says whose turn it is."""
_POSTER = 0.88
"""Page units in a unit of the board on a poster: the ring has room to spare, and smaller it leaves more to names."""
_LARGEST = 48.0
"""The radius of a stone on a small ring."""
_OUTSIDE = 62.0
"""The room for numbers outside the stones."""


@dataclass(frozen=True, slots=True)
class _Ring:
    """A circle of `radius` with `cells` stones of radius `stone`: cell 1 at the top, the others clockwise."""

    cells: int
    radius: float
    stone: float

    @classmethod
    def of(cls, cells: int) -> "_Ring":
        share = 0.44 * 2 * math.pi / cells
        room = _SIZE / 2 - _OUTSIDE
        stone = min(_LARGEST, share * room / (1 + share))
        return cls(cells, room - stone, stone)

    def at(self, cell: float, off: float = 0.0) -> Point:
        """Return the middle of a cell, or of a point between two cells, `off` units outwards."""
        angle = 2 * math.pi * (cell - 1) / self.cells
        reach = self.radius + off
        return _MIDDLE[0] + reach * math.sin(angle), _MIDDLE[1] - reach * math.cos(angle)

    def spot(self, name: str) -> Spot | None:
        """Return the spot of the cell with this number."""
        known = name.isdecimal() and 1 <= int(name) <= self.cells
        return Spot((self.at(int(name)),), self.stone) if known else None

    def arc(self, start: int) -> tuple[Point, ...]:
        """Return the arc from a cell to the next one clockwise."""
        steps = max(4, 64 // self.cells)
        return tuple(self.at(start + step / steps) for step in range(steps + 1))


@draw_board.register
def picture(view: AlaricView, seen: Observation) -> Board:
    ring = _Ring.of(len(view.stones))
    shapes = _runs(view, ring)
    if view.last is not None:
        shapes.append(Disc(ring.at(view.last), ring.stone * 1.22, Mix(Role.ACCENT, 0.6)))
    over = seen.winners is not None
    if not over and view.before is not None and _stands_before(view):
        around = Ring((0, 0), 1.16, 3 / ring.stone, Role.MUTED, dashes=20)
        shapes.append(Group("before", (around,), ring.at(view.before), ring.stone))
    for cell in range(1, ring.cells + 1):
        shapes += _cell(view, seen, ring, cell)
    if view.last is not None:
        around = Ring((0, 0), 1.11, max(0.1, 3.5 / ring.stone), Role.INK, wobble=0.4)
        shapes.append(Group("last", (around,), ring.at(view.last), ring.stone))
    return Board(
        _SIZE,
        _SIZE,
        _POSTER if over else 1,
        (*shapes, *_centre(view, over=over)),
        scored=True,
        note=_short_note(view, seen),
        turn=_TURN,
        spot=ring.spot,
        ground=_empty(ring),
        in_play=_SIZE,
    )


@lru_cache(maxsize=64)
def _empty(ring: _Ring) -> tuple[Shape, ...]:
    """Return the ring with all cells empty; stones cover them."""
    cells = (ring.at(cell) for cell in range(1, ring.cells + 1))
    hollow = (
        shape
        for at in cells
        for shape in (Disc(at, ring.stone, Role.PAGE), Ring(at, ring.stone - 2, 3, Role.GRID, wobble=0.6))
    )
    return Ring(_MIDDLE, ring.radius, 4, Role.GRID, wobble=1), *hollow


def _runs(view: AlaricView, ring: _Ring) -> list[Shape]:
    """Bands between neighbouring stones of the same seat."""
    bands: list[Shape] = []
    for cell, owner in enumerate(view.stones, 1):
        if owner is not None and ring.cells > 1 and view.stones[cell % ring.cells] == owner:
            bands.append(Stroke(ring.arc(cell), ring.stone * 0.5, Mix(SEATS[owner], 0.5), wobble=0))
    return bands


def _cell(view: AlaricView, seen: Observation, ring: _Ring, cell: int) -> list[Shape]:
    at = ring.at(cell)
    number = Text(ring.at(cell, ring.stone + 35), str(cell), 40 if ring.cells <= 24 else 30, Role.MUTED)
    owner = view.stones[cell - 1]
    if owner is not None:
        return [piece(f"stone {cell}", owner, at, ring.stone), number]
    shapes: list[Shape] = []
    mover = _mover(view)
    if seen.winners is None and cell in _lost(view) and mover is not None:
        lost = Ring((0, 0), ring.stone - 2, 7, Mix(SEATS[mover], 0.6), dashes=12)
        shapes.append(Group(f"lost {cell}", (lost,), at))
    if cell in view.forbidden:
        return [*shapes, *_forbidden(view, cell, at, ring.stone), number]
    if _open(view, seen, cell):
        label = Text((0, 0), str(cell), min(42.0, max(SMALLEST_TEXT, ring.stone)), Role.INK)
        shapes.append(Group(f"choice {cell}", (label,), at))
        if gain := _gain(view, seen, cell):
            shapes.append(Text(number.at, f"+{gain}", number.size, Role.INK))
        return shapes
    return [*shapes, number]


def _lost(view: AlaricView) -> list[int]:
    """Return the empty cells whose stones the move before the last one took and that may be played again."""
    return [
        cell for cell in view.taken_before if cell not in view.forbidden and view.stones[cell - 1] is None
    ]


def _mover(view: AlaricView) -> Seat | None:
    """Return the owner of the last stone, from whom the move before may have taken stones."""
    return None if view.last is None else view.stones[view.last - 1]


def _forbidden(view: AlaricView, cell: int, at: Point, radius: float) -> list[Shape]:
    """Return a cell that is forbidden for one move: crossed out, with a faint picture of the stone taken there."""
    shapes: list[Shape] = []
    victim = _victim(view)
    if cell in view.taken and victim is not None:
        shapes.append(piece(f"taken {cell}", victim, at, radius * 0.96, share=0.22))
    return [*shapes, Group(f"forbidden {cell}", _cross(0.52), at, radius)]


def _centre(view: AlaricView, *, over: bool) -> list[Shape]:
    """Return the score, and the meaning of crosses and rings; that of the rings is left out once the game is over.

    The first player is on the left, at the end the one with more stones, as in the banner.
    """
    count = view.stones.count
    left, right = (1, 0) if over and count(1) > count(0) else (0, 1)
    line = [
        seat_item(f"score {left}", left, 34),
        space(24),
        text_item(f"{count(left)} : {count(right)}", 92),
        space(24),
        seat_item(f"score {right}", right, 34),
    ]
    x, y = _MIDDLE
    shapes: list[Shape] = [*set_centred(line, (x, y - 36))]
    lines = [[text_item("stones on the ring", _READ, Role.MUTED)]]
    stands, mover = not over and _stands_before(view), _mover(view)
    if stands:
        last = Disc((18, 0), 20, Mix(Role.ACCENT, 0.6)), Ring((18, 0), 17, 3, Role.INK)
        before = Ring((18, 0), 17, 3, Role.MUTED, dashes=10)
        lines += [_meaning("last move", *last), _meaning("the one before", before)]
    if not over and _lost(view) and mover is not None:
        # The line above says which move "it" is.
        captor = "by it" if stands else "before"
        lost = Ring((18, 0), 15, 5, Mix(SEATS[mover], 0.6), dashes=8)
        lines.append(_meaning(f"captured {captor}", lost))
    if view.forbidden:
        cross = Group("", _cross(0.4), (18, 0), 36)
        lines.append(_meaning("just captured" if over else "not this turn", cross))
    # The ring has room for four lines.
    lines = lines[-4:]
    for number, items in enumerate(lines):
        shapes += set_centred(items, (x, y + 38 + _LINE * number))
    return shapes


def _stands_before(view: AlaricView) -> bool:
    """Return True if the stone of the move before the last one was not captured by the last one."""
    return view.before is not None and view.stones[view.before - 1] is not None


def _meaning(words: str, *sample: Shape) -> list[Item]:
    """Return a sign, which is 36 wide, and its meaning."""
    return [Item(36, sample), space(10), text_item(words, _READ, Role.MUTED)]


_READ, _LINE = 40, 46
"""The size of the words inside the ring, and the distance of their lines."""


def _cross(reach: float) -> tuple[Stroke, ...]:
    """Return the cross on a forbidden cell, which reaches so far from its middle to the right and down."""
    ends = ((-reach, -reach), (reach, reach)), ((-reach, reach), (reach, -reach))
    return tuple(Stroke(line, 0.15, Role.FORBIDDEN) for line in ends)


def _open(view: AlaricView, seen: Observation, cell: int) -> bool:
    return seen.winners is None and cell in view.choices


def _gain(view: AlaricView, seen: Observation, cell: int) -> int:
    """Return the number of stones that the player on turn would capture from this cell."""
    seats = [seat for seat in seen.to_move if seat is not None]
    if len(seats) != 1:
        return 0
    own, enemy = (
        sum(1 << place for place, owner in enumerate(view.stones) if owner == seat)
        for seat in (seats[0], 1 - seats[0])
    )
    return captured(own | 1 << cell - 1, enemy, cell - 1, len(view.stones)).bit_count()


def _victim(view: AlaricView) -> int | None:
    """Return the seat that the last move may have taken stones from."""
    mover = _mover(view)
    return None if mover is None else 1 - mover


def _note(view: AlaricView, seen: Observation) -> str:
    if view.endless:
        return "the same position stood for the third time"
    if view.choices or seen.last is None or seen.last.seat is None:
        return ""
    if not view.forbidden:
        return "the ring is full"
    cells = [str(cell) for cell in view.forbidden]
    which = joined(cells) if len(cells) <= 4 else "all empty cells"
    verb = "was" if len(cells) == 1 else "were"
    return f"{who(1 - seen.last.seat)} cannot move: {which} {verb} just captured"


def _short_note(view: AlaricView, seen: Observation) -> str:
    """Return why a finished game is over, for the picture, where the cells are crossed out."""
    told = _note(view, seen)
    crossed = told and view.forbidden and not view.endless
    return "no cell is left: the crossed-out ones were just captured" if crossed else told


@describe.register
def words(view: AlaricView, seen: Observation) -> Description:
    return Description(
        lambda: _position(view, seen), lambda: _rows(view, seen), _SIGNS, _move(view), _note(view, seen)
    )


def _position(view: AlaricView, seen: Observation) -> tuple[str, ...]:
    owned = [[cell for cell, owner in enumerate(view.stones, 1) if owner == seat] for seat in (0, 1)]
    free = [cell for cell, owner in enumerate(view.stones, 1) if owner is None and cell not in view.forbidden]
    position = [f"{sentence(who(seat))[:-1]}: {spans(cells)}." for seat, cells in enumerate(owned)]
    if view.forbidden:
        position.append(f"Forbidden now: {spans(view.forbidden)}.")
    position.append(f"{'Playable' if seen.winners is None else 'Empty'}: {spans(free)}.")
    position.append(f"A ring of {counted(len(view.stones), 'cell')}.")
    return tuple(position)


_SIGNS = {
    SEAT_MARKS[0].letter: SEAT_MARKS[0].word,
    SEAT_MARKS[1].letter: SEAT_MARKS[1].word,
    "+": "playable",
    "x": "forbidden",
    ".": "empty",
    "[ ]": "last move",
}

_ACROSS = 6
"""Cells in the top line of the ring in text: 36 columns, which a phone can show."""


def _move(view: AlaricView) -> str:
    if view.last is None:
        return ""
    taken = f", capturing {joined([str(cell) for cell in view.taken])}" if view.taken else ""
    return f"{view.last}{taken}"


def _rows(view: AlaricView, seen: Observation) -> tuple[str, ...]:
    """Return the ring as a rectangle, clockwise from the top left; a ring of odd size leaves a corner open."""
    tokens = [_token(view, seen, cell) for cell in range(1, len(view.stones) + 1)]
    size = len(tokens)
    across = min(_ACROSS, (size + 4) // 8 + 2, (size + 1) // 2)
    bottom = across - size % 2
    side = (size - across - bottom) // 2
    top, rest = tokens[:across], tokens[across:]
    right, low, left = rest[:side], rest[side : side + bottom], rest[side + bottom :]
    blank = " " * len(tokens[0])
    sides = [f"{west}{blank * (across - 2)}{east}" for west, east in zip(reversed(left), right, strict=True)]
    return "".join(top), *sides, *([blank * (across - bottom) + "".join(reversed(low))] if low else [])


def _token(view: AlaricView, seen: Observation, cell: int) -> str:
    owner = view.stones[cell - 1]
    if owner is not None:
        sign = SEAT_MARKS[owner].letter
    elif cell in view.forbidden:
        sign = "x"
    else:
        sign = "+" if _open(view, seen, cell) else "."
    return f"[{cell:2}{sign}] " if cell == view.last else f" {cell:2}{sign}  "


def _mark() -> Icon:
    shapes: list[Shape] = []
    for number in range(6):
        angle = math.tau * number / 6
        at = 0.64 * math.sin(angle), -0.64 * math.cos(angle)
        ink = (Role.SEAT_1, Role.SEAT_2)[number in (1, 2, 4)]
        shapes += [Disc(at, 0.33, Role.PALE), Disc(at, 0.28, ink)]
    return tuple(shapes)


def _standing(begin: int, end: int) -> Iterator[Disc]:
    """Yield stones of a ring of ten."""
    for number in range(begin, end):
        angle = math.tau * (number - 2.5) / 10
        yield Disc((0.55 * math.cos(angle), 0.55 * math.sin(angle)), 0.13, Role.SEAT_1)


MARK = _mark()
"""The mark of the game in titles and menus."""

ICONS: Mapping[str, Icon] = MappingProxyType(
    {
        # The ring turns for ever.
        "alaric.eternal": (
            pencil(*arc((0, 0), 0.55, 0.55, -60, 130)),
            pencil(*arc((0, 0), 0.55, 0.55, 150, 290)),
            Area(((-0.52, 0.5), (-0.14, 0.66), (-0.22, 0.3)), Role.INK),
            Disc((0, 0), 0.2, Role.SEAT_2),
        ),
        # Half of the ring stands, half is rubble.
        "alaric.sack": (
            *_standing(0, 5),
            pencil((-0.02, 0.62), (-0.2, 0.38)),
            pencil((-0.34, 0.56), (-0.56, 0.4)),
            pencil((-0.44, 0.1), (-0.68, 0.12)),
            pencil((-0.4, -0.2), (-0.62, -0.34)),
            pencil((-0.2, -0.42), (-0.26, -0.66)),
            Disc((-0.12, 0.02), 0.07, Role.INK),
        ),
    }
)
"""The icons of the achievements, by their keys."""
