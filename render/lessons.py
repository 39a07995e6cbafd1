"""The pictures of lessons: a game in play, without its title, and the pages that show how it is played.

They never change, so each is drawn once in each theme.
"""

from dataclasses import dataclass
from functools import cache

from render.board.annotations.correction import RejectedMove, visible_part
from render.board.game_board import draw_board
from render.board.page import board_alone
from render.board.phrases import joined, shortened
from render.board.text import ALT_LIMIT, alt
from render.engine.png import encode
from render.engine.raster import paint, png, sheet
from render.engine.theme import THEMES
from render.picture import draw
from rules.lessons import Lesson, Page, lesson_of

CARD_WIDTH = 560
"""Pixels of the picture on a card: about what Discord shows of it."""


SHEET_WIDTH, IN_A_ROW = 1000, 4
"""Pixels of the picture of several games, and the boards in each of its rows."""


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
    return LessonPicture(png(scene, THEMES[theme], CARD_WIDTH), alt(seen))


@cache
def several_in_play(keys: tuple[str, ...], theme: str) -> LessonPicture:
    """Return the boards of these games in play on one sheet, without those of games that have no lesson.

    Raises ValueError if none has.
    """
    seen = [it.match(it.in_play).observe(None) for key in keys if (it := lesson_of(key)) is not None]
    colours = THEMES[theme]
    boards = [
        paint(board_alone(draw_board(one.board, one)), colours, SHEET_WIDTH // IN_A_ROW) for one in seen
    ]
    alt = f"Boards of {joined([one.title for one in seen])}."
    return LessonPicture(encode(sheet(boards, IN_A_ROW)), shortened(alt, ALT_LIMIT))


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
