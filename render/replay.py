"""A whole game as an animation: one frame for each move, the opening in quick steps, and the last one for longer."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from io import BytesIO
from itertools import pairwise
from math import dist
from typing import Any

from PIL import Image

from render.board.players import Player
from render.engine.raster import colours, paint
from render.engine.scene import Group, Point, Scene, Shape, Stroke
from render.picture import scene
from rules.core.game import Seat
from rules.core.match import Match, Observation
from rules.core.record import read_match
from rules.games import find


def match_of(fields: Mapping[str, Any], plies: int | None = None) -> Match:
    """Return the match of a record after so many moves (None: all of them).

    `fields` holds `game`, `options`, `players` and `moves`. Raises RuleError with one sentence.
    """
    return read_match(find(fields["game"]), fields, plies)


WIDTH, NARROW = 500, 420
"""Pixels: a little more than a phone shows; NARROW is for games of more than MANY positions, to keep files small."""
MANY = 100
SLOWEST, QUICKEST = 900, 150
"""Milliseconds for each move."""
LONGEST = 45_000
"""Milliseconds for a whole game, unless its moves are already shown at the QUICKEST pace."""
HELD = 5_000
"""Milliseconds for the last position."""
GROWING = (0.35, 0.7)
"""The shares of a new line that are drawn before the whole line. Games of more than MANY positions show it at once."""
GROWTH = 110
"""Milliseconds for each of these shares."""
_LINES = ("line ", "segment ", "wall ")
"""The beginnings of the names of groups that are lines."""
_OFFERS = ("choice ", "start ", "offer ")
"""The beginnings of the names of groups that mark legal moves or explain such marks."""


def positions(match: Match, seat: Seat | None = None) -> Iterator[Observation]:
    """Yield what `seat` (None: a spectator) saw from the start of the match to now: an observation for every change."""
    stage = Match.start(match.game, dict(match.setup.options), match.setup.players)
    before = stage.observe(seat)
    yield before
    for who, text in match.log:
        stage = stage.play(who, text)
        seen = stage.observe(seat)
        if seen != before:
            yield seen
        before = seen


def animate(
    seen: Iterable[Observation],
    theme: str = "paper",
    drawn: Callable[[int, int], None] = lambda _, __: None,
    players: Sequence[Player] = (),
) -> bytes:
    """Return the positions as a GIF, WIDTH or NARROW pixels wide and as high as the highest position.

    Only the last position names the `players`. Others have no marks of legal moves. `drawn` is told after each position
    how many are drawn, and how many there are.

    Raises KeyError if `theme` is none of THEMES, ValueError if there is no position.
    """
    shown = tuple(seen)
    if not shown:
        raise ValueError("An animation needs at least one position.")
    few = len(shown) <= MANY
    pace = max(QUICKEST, min(SLOWEST, LONGEST // len(shown)))
    # What is placed before the game proper begins is shown twice as fast.
    opening = shown[0].phase if shown[0].phase != shown[-1].phase else ""
    paces = [max(QUICKEST, pace // 2) if it.phase == opening else pace for it in shown[:-1]]
    frames, durations = [], []
    before: Scene | None = None
    for number, page in enumerate(_scenes(shown, players), 1):
        # The last position is laid out in another way.
        parts = _growing(before, page) if few and before is not None and number < len(shown) else []
        frames += [paint(it, theme, WIDTH if few else NARROW) for it in (*parts, page)]
        durations += [
            *[GROWTH] * len(parts),
            *[max(QUICKEST, it - GROWTH * len(parts)) for it in paces[number - 1 : number]],
        ]
        before = page
        drawn(number, len(shown))
    height = max(frame.height for frame in frames)
    sheets = [_sheet(frame, height) for frame in frames]
    out = BytesIO()
    sheets[0].save(
        out,
        "GIF",
        save_all=True,
        append_images=sheets[1:],
        duration=[*durations, HELD],
        loop=0,
        palette=colours(theme),  # or each frame would have its own, which takes longer and is larger
        # Leave out of a frame what has not changed since the frame before.
        optimize=True,
    )
    return out.getvalue()


def _scenes(shown: Sequence[Observation], players: Sequence[Player]) -> Iterator[Scene]:
    """Yield the scene of each position, without the marks of legal moves; the last one names the players."""
    for seen in shown[:-1]:
        page = scene(seen)
        yield replace(page, shapes=tuple(_unmarked(page.shapes)))
    yield scene(shown[-1], players=players)


def _growing(before: Scene, after: Scene) -> list[Scene]:
    """Return scenes between two positions in which a new line grows; none if the move was no line."""
    boards = [
        next((it for it in page.shapes if isinstance(it, Group) and it.name == "board"), None)
        for page in (before, after)
    ]
    old, new = boards
    if old is None or new is None:
        return []
    known = {it.name for it in old.shapes if isinstance(it, Group)}
    lines = [
        it
        for it in new.shapes
        if isinstance(it, Group) and it.name.startswith(_LINES) and it.name not in known
    ]
    if not lines:
        return []
    return [
        replace(
            before,
            shapes=tuple(
                it._replace(shapes=(*it.shapes, *(_part(line, share) for line in lines))) if it is old else it
                for it in before.shapes
            ),
        )
        for share in GROWING
    ]


def _part(line: Group, share: float) -> Group:
    """Return the beginning of a line, as this share of its length."""
    return line._replace(
        shapes=tuple(
            it._replace(points=_beginning(it.points, share)) if isinstance(it, Stroke) else it
            for it in line.shapes
        )
    )


def _beginning(points: tuple[Point, ...], share: float) -> tuple[Point, ...]:
    """Return the beginning of a polyline, as this share of its length."""
    left = share * sum(dist(*step) for step in pairwise(points))
    kept = [points[0]]
    for (x, y), (to_x, to_y) in pairwise(points):
        length = dist((x, y), (to_x, to_y))
        if length >= left:
            part = left / length if length else 0.0
            return *kept, (x + part * (to_x - x), y + part * (to_y - y))
        kept.append((to_x, to_y))
        left -= length
    return tuple(kept)


def _unmarked(shapes: Iterable[Shape]) -> Iterator[Shape]:
    """Yield shapes without the groups directly in them that mark legal moves."""
    for shape in shapes:
        if isinstance(shape, Group):
            kept = [it for it in shape.shapes if not (isinstance(it, Group) and it.name.startswith(_OFFERS))]
            yield shape._replace(shapes=(*kept,))
        else:
            yield shape


def _sheet(frame: Image.Image, height: int) -> Image.Image:
    """Return the frame in the middle of a page of that height, in the colour of the frame's corner."""
    rim = (frame.height - height) // 2
    sheet = frame.crop((0, rim, frame.width, rim + height))
    page = frame.getpixel((0, 0))
    assert isinstance(page, int)
    for top, bottom in ((0, -rim), (frame.height - rim, height)):
        sheet.paste(page, (0, top, frame.width, bottom))
    return sheet
