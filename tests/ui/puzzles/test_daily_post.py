"""The words of the post of the puzzle of the day."""

from datetime import UTC, date, datetime

import pytest
from discord import ui

from bot.app.puzzles.daily import NAMED, DayBoard
from bot.ui.puzzles.posts import Yesterday, asked, daily_view, results, tally
from db.values.posts import Post, PostKind
from render.board.text import ALT_LIMIT
from rules.puzzles.stock import PUZZLED, of_game
from tests.ui.puzzles.test_solving import a_puzzle
from tests.ui.words import words

DAY = date(2026, 11, 23)
NOW = datetime(2026, 11, 23, tzinfo=UTC)
PUZZLE, SOLVED = a_puzzle("skull", 1), a_puzzle("alaric", 2)


def test_the_post_says_what_is_asked_and_how_it_was_done_so_far() -> None:
    post = Post(1, PostKind.PUZZLE, 1, "2026-11-22", 1, 7, 1, NOW, message=9)
    yesterday = Yesterday(post, DayBoard(4, 3, (5, 6)), SOLVED)
    said = words(daily_view(PUZZLE, DAY, DayBoard(7, 5, (1, 2)), yesterday=yesterday))
    assert said.startswith("### Puzzle of the day · 23 November\n-# ")
    assert "**Only one move wins: find it.**" in said
    assert "-# 5 of 7 solved it; <@1> was the first." in said
    assert (
        "-# Yesterday 3 of 4 solved [the puzzle](https://discord.com/channels/1/7/9). Solution: ||`" in said
    )
    assert "<@2>" not in said, "the others are named once the day is over"


def test_yesterdays_solution_is_shown_unless_it_would_help_somebody() -> None:
    post = Post(1, PostKind.PUZZLE, 1, "2026-11-22", 1, 7, 1, NOW, message=9)
    said = words(daily_view(PUZZLE, DAY, DayBoard(), yesterday=Yesterday(post, DayBoard(), SOLVED)))
    assert "-# Yesterday nobody here tried [the puzzle](" in said
    assert said.endswith(f"Solution: ||{' '.join(f'`{move}`' for move in SOLVED.line)}||")
    assert "Solution" not in words(
        daily_view(PUZZLE, DAY, DayBoard(), yesterday=Yesterday(post, DayBoard(), None))
    )


def test_the_post_of_a_day_that_is_over_shows_its_board() -> None:
    said = words(daily_view(PUZZLE, DAY, DayBoard(7, 5, (1, 2)), over=True))
    assert "**Board of the day**: 5 of 7 solved it at the first attempt.\n<@1>, <@2> and 3 more" in said
    assert "have tried it" not in said


@pytest.mark.parametrize(
    ("board", "said"),
    [
        (DayBoard(), "Nobody here has tried it yet."),
        (DayBoard(1, 0), "1 has tried it, and nobody has solved it yet."),
        (DayBoard(2, 0), "2 have tried it, and nobody has solved it yet."),
        (DayBoard(1, 1, (5,)), "1 of 1 solved it; <@5> was the first."),
        (DayBoard(12, 10), "10 of 12 solved it."),
    ],
)
def test_the_count(board: DayBoard, said: str) -> None:
    assert tally(board) == said


def test_a_board_of_many_names_some() -> None:
    board = DayBoard(50, 40, tuple(range(1, NAMED + 1)))
    assert results(board).count("<@") == NAMED
    assert results(board).endswith("<@20> and 20 more")


def test_a_board_without_names_says_so_in_numbers() -> None:
    assert results(DayBoard(2, 0)) == "**Board of the day**: none of 2 solved it at the first attempt."
    assert results(DayBoard(2, 1)) == "**Board of the day**: 1 of 2 solved it at the first attempt."
    assert results(DayBoard()) == "**Board of the day**: nobody here tried it on its day."


def test_more_moves_and_draws_are_asked_for() -> None:
    assert asked(a_puzzle("alaric", 2)).endswith("**Two moves to find: each time only one wins.**")
    assert asked(a_puzzle("polygons", 1, 0.5)).endswith("**Only one move keeps the draw: find it.**")


@pytest.mark.parametrize("game", PUZZLED)
def test_the_picture_has_words(game: str) -> None:
    view = daily_view(of_game(game)[0], DAY, DayBoard())
    (gallery,) = (part for part in view.walk_children() if isinstance(part, ui.MediaGallery))
    assert 0 < len(gallery.items[0].description or "") <= ALT_LIMIT
