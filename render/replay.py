"""A whole game as an animation: one frame a move, at a pleasant pace, the last one held."""

from collections.abc import Iterable, Iterator
from io import BytesIO

from PIL import Image

from render.engine.raster import paint
from render.engine.theme import THEMES
from render.picture import scene
from rules.core.game import Seat
from rules.core.match import Match, Observation

WIDTH, NARROW = 500, 420
"""Pixels: little more than a phone shows, and about as much for games of MANY positions, so that they stay small."""
MANY = 100
SLOWEST, QUICKEST = 900, 150
"""Milliseconds that a move is shown."""
LONGEST = 45_000
"""Milliseconds that a game may take, unless its moves are shown as quickly as can be followed already."""
HELD = 5_000
"""Milliseconds that the last position is held."""


def positions(match: Match, seat: Seat | None = None) -> Iterator[Observation]:
    """What `seat` (None: a spectator) could see from the start to where the match stands, one for every change."""
    stage = Match.start(match.game, dict(match.setup.options), match.setup.players)
    before = stage.observe(seat)
    yield before
    for who, text in match.log:
        stage = stage.play(who, text)
        seen = stage.observe(seat)
        if seen != before:
            yield seen
        before = seen


def animate(seen: Iterable[Observation], theme: str = "paper") -> bytes:
    """The positions as a GIF as high as the highest of them, WIDTH or NARROW pixels wide, all in the theme's palette.

    Raises KeyError when `theme` is none of THEMES, ValueError when there is nothing to show.
    """
    look = THEMES[theme]
    shown = tuple(seen)
    width = WIDTH if len(shown) <= MANY else NARROW
    frames = [paint(scene(position), look, width) for position in shown]
    if not frames:
        raise ValueError("An animation needs at least one position.")
    height = max(frame.height for frame in frames)
    sheets = [_sheet(frame, height) for frame in frames]
    pace = max(QUICKEST, min(SLOWEST, LONGEST // len(sheets)))
    out = BytesIO()
    sheets[0].save(
        out,
        "GIF",
        save_all=True,
        append_images=sheets[1:],
        duration=[*[pace] * (len(sheets) - 1), HELD],
        loop=0,
        # What stays the same from frame to frame is left out.
        optimize=True,
    )
    return out.getvalue()


def _sheet(frame: Image.Image, height: int) -> Image.Image:
    """The frame in the middle of a page of that height, whose colour is that of the frame's corner."""
    rim = (frame.height - height) // 2
    sheet = frame.crop((0, rim, frame.width, rim + height))
    page = frame.getpixel((0, 0))
    assert isinstance(page, int)
    for top, bottom in ((0, -rim), (frame.height - rim, height)):
        sheet.paste(page, (0, top, frame.width, bottom))
    return sheet
