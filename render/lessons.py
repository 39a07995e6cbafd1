"""The pictures of lessons: a game in play, without its title, and the pages that show how it is played.

They never change, so each is drawn once in each theme.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from io import BytesIO

from PIL import Image

from render.board.annotations.correction import RejectedMove, visible_part
from render.board.game_board import draw_board
from render.board.page import WIDTH, board_alone, miniature
from render.board.phrases import shortened
from render.board.text import ALT_LIMIT, alt
from render.engine.raster import encode, paint, png
from render.engine.scene import Face, Role, Scene, Shape, Text
from render.engine.theme import THEMES
from render.games import MODULES
from render.marks import badge, mark_png
from render.picture import draw
from rules.core.match import Match
from rules.core.notation import joined
from rules.games import find
from rules.lessons import Lesson, Page, lesson_of

CARD_WIDTH = 560
"""Pixels of the picture on a card: about what Discord shows of it."""


SHEET_WIDTH, IN_A_ROW = 1000, 4
"""Pixels of the picture of several games, and the boards in each of its rows."""
_CELL, _ROOM, _NAME = SHEET_WIDTH / IN_A_ROW, 218.0, 40.0
"""The width of the place of a board, the largest width and height of the board, and the size of its name."""


@dataclass(frozen=True, slots=True)
class LessonPicture:
    """A picture as a PNG, and the same in words."""

    png: bytes
    alt: str


@cache
def in_play(key: str, theme: str) -> LessonPicture:
    """Return the board of a game in play on its standard size. Raises KeyError if it has no lesson."""
    lesson = _lesson(key)
    seen = lesson.match(lesson.in_play).observe(None)
    scene = board_alone(draw_board(seen.board, seen))
    return LessonPicture(png(scene, theme, CARD_WIDTH), alt(seen))


@cache
def several_in_play(keys: tuple[str, ...], theme: str) -> LessonPicture:
    """Return the boards of these games in play on one sheet, each with the short name of its game below it.

    Games without a lesson are left out.
    """
    games = [find(key) for key in keys if lesson_of(key) is not None]
    height = round(_ROOM + 1.7 * _NAME)
    names: list[Shape] = []
    boards: list[tuple[Image.Image, tuple[int, int]]] = []
    for number, game in enumerate(games):
        row, column = divmod(number, IN_A_ROW)
        lesson = _lesson(game.key)
        seen = lesson.match(lesson.small or lesson.in_play).observe(None)
        board = miniature(draw_board(seen.board, seen))
        scale = min(_ROOM / board.width, _ROOM / board.height)
        picture = paint(board, theme, round(board.width * scale))
        left, bottom = column * _CELL, row * height + _ROOM + 0.3 * _NAME
        boards.append((picture, (round(left + (_CELL - picture.width) / 2), round(bottom - picture.height))))
        below = left + _CELL / 2, bottom + 0.6 * _NAME
        names.append(Text(below, game.sheet.name, _NAME, face=Face.TITLE))
    rows = -(-len(games) // IN_A_ROW)
    whole = paint(Scene(SHEET_WIDTH, rows * height, tuple(names)), theme)
    for picture, at in boards:
        whole.paste(picture, at)
    words = f"Boards of {joined([game.sheet.title for game in games])}."
    return LessonPicture(encode(whole), shortened(words, ALT_LIMIT))


@cache
def lesson_page(key: str, number: int, theme: str) -> LessonPicture:
    """Return the picture of a page of a lesson, counted from 0; a refused move is marked on it.

    Raises KeyError if the game has no lesson, IndexError if it has no such page.
    """
    lesson = _lesson(key)
    page = lesson.pages[number]
    seen = lesson.match(page.scene).observe(page.scene.seat)
    rejected = _rejected(lesson, page) if page.refused else None
    shown = visible_part(seen, rejected) if rejected is not None else None
    return LessonPicture(draw(seen, theme, shown), alt(seen, rejected=shown))


def _lesson(key: str) -> Lesson:
    lesson = lesson_of(key)
    if lesson is None:
        raise KeyError(key)
    return lesson


def _rejected(lesson: Lesson, page: Page) -> RejectedMove:
    match = lesson.match(page.scene)
    return RejectedMove(match.reading(match.to_move[0], page.refused), lesson.refusal(page).marks)


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
    game, lesson = find(key), _lesson(key)
    start = Match.start(game, game.sizes["standard"], game.seats[1])
    boards = [draw(match.observe(None), theme) for match in (start, lesson.match(lesson.in_play))]
    for image in (*boards, *(lesson_page(key, number, theme).png for number in range(len(lesson.pages)))):
        picture = Image.open(BytesIO(image)).convert("RGB")
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
