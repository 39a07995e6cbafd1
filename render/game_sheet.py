"""All pictures of a game on one sheet, to look at: the start, the pages of its lesson, its badges and its mark.

The left half is in one theme, the right half in the other; each picture stands there at full size and as on a phone.
"""

from collections.abc import Iterator
from io import BytesIO

from PIL import Image

from render.board.page import WIDTH
from render.engine.raster import paint
from render.engine.scene import Role, Scene
from render.engine.theme import THEMES
from render.games import MODULES
from render.lessons import lesson_page
from render.marks import badge, mark_png
from render.picture import draw
from rules.core.match import Match
from rules.games import find
from rules.lessons import lesson_of

PHONE = 400
"""Pixels of a picture on a phone."""
GAP = 20
_BADGE = 84


def game_sheet(key: str) -> bytes:
    """Return the sheet of a game that has a lesson, as a PNG. Raises KeyError if it has none."""
    columns = [[*_pictures(key, theme)] for theme in THEMES]
    heights = [max(picture.height for picture in row) + GAP for row in zip(*columns, strict=True)]
    half = WIDTH + PHONE + 3 * GAP
    sheet = Image.new("RGB", (half * len(columns), sum(heights) + GAP))
    for number, (theme, pictures) in enumerate(zip(THEMES.values(), columns, strict=True)):
        left, top = half * number, GAP
        sheet.paste(theme.rgb(Role.GRID), (left, 0, left + half, sheet.height))
        for picture, height in zip(pictures, heights, strict=True):
            small = picture.resize((PHONE, picture.height * PHONE // picture.width), Image.Resampling.LANCZOS)
            sheet.paste(picture, (left + GAP, top))
            sheet.paste(small, (left + WIDTH + 2 * GAP, top))
            top += height
    out = BytesIO()
    sheet.save(out, "PNG")
    return out.getvalue()


def _pictures(key: str, theme: str) -> Iterator[Image.Image]:
    """Yield the pictures in one theme, all 900 pixels wide."""
    game, lesson = find(key), lesson_of(key)
    if lesson is None:
        raise KeyError(key)
    start = Match.start(game, game.sizes["standard"], game.seats[1])
    boards = [draw(match.observe(None), theme) for match in (start, lesson.match(lesson.in_play))]
    for png in (*boards, *(lesson_page(key, number, theme).png for number in range(len(lesson.pages)))):
        picture = Image.open(BytesIO(png)).convert("RGB")
        yield picture.resize((WIDTH, picture.height * WIDTH // picture.width), Image.Resampling.LANCZOS)
    keys = [*getattr(MODULES[key], "ICONS", {"without icon": ()})]
    badges = tuple(
        badge(icon, ((number + 0.5) * _BADGE, _BADGE / 2), _BADGE / 2 - 2, won=won)
        for number, (icon, won) in enumerate((icon, won) for icon in keys for won in (True, False))
    )
    row = paint(Scene(WIDTH, _BADGE, badges), theme).convert("RGB")
    mark = Image.open(BytesIO(mark_png(key)))
    for size, left in ((_BADGE, 700), (20, 820)):
        small = mark.resize((size, size), Image.Resampling.LANCZOS)
        row.paste(small, (left, (_BADGE - size) // 2), small)
    yield row
