"""Every page of every lesson is played: legal positions, moves refused for the named reason, ends that are ends."""

import pytest

from rules.games import GAMES
from rules.lessons import Lesson, Page, lesson_of


def lesson(key: str) -> Lesson:
    found = lesson_of(key)
    assert found is not None, f"add rules/lessons/{key}.py"
    assert found.key == key
    return found


LESSONS = [lesson(game.key) for game in GAMES]
PAGES = [
    pytest.param(it, page, id=f"{it.key}-{number}")
    for it in LESSONS
    for number, page in enumerate(it.pages, 1)
]
every_lesson = pytest.mark.parametrize("taught", LESSONS, ids=lambda taught: taught.key)


@every_lesson
def test_a_lesson_has_a_move_a_refusal_and_last_the_end(taught: Lesson) -> None:
    assert 3 <= len(taught.pages) <= 5
    assert [page.end for page in taught.pages] == [*[False] * (len(taught.pages) - 1), True]
    assert any(page.refused for page in taught.pages)
    assert any(not page.refused and not page.end for page in taught.pages)


@pytest.mark.parametrize(("taught", "page"), PAGES)
def test_a_page_shows_what_it_says(taught: Lesson, page: Page) -> None:
    match = taught.match(page.scene)
    assert match.over == page.end
    assert page.scene.moves
    if page.refused:
        assert taught.refusal(page).rule == page.rule
    else:
        assert not page.rule
    last = match.log[-1]
    assert page.scene.seat in (None, last.seat, *match.to_move)


@every_lesson
def test_a_refused_move_that_is_legal_is_noticed(taught: Lesson) -> None:
    """The check above can fail: a legal move is not taken for a refused one."""
    page = next(page for page in taught.pages if page.refused)
    legal = taught.match(page.scene).legal()
    if legal is not None:
        with pytest.raises(ValueError, match="is legal"):
            taught.refusal(Page(page.heading, page.text, page.scene, legal[0], page.rule))


@every_lesson
def test_the_game_in_play_is_on_the_standard_size_and_not_over(taught: Lesson) -> None:
    match = taught.match(taught.in_play)
    board = {it.key for it in match.game.options if not it.extra}
    standard = match.game.sizes["standard"].items()
    assert {key: value for key, value in match.setup.options if key in board} == {
        key: value for key, value in standard if key in board
    }
    assert not match.over
    assert len(match.log) >= 2


@every_lesson
def test_a_lesson_knows_how_long_a_game_of_each_named_size_takes(taught: Lesson) -> None:
    game = next(game for game in GAMES if game.key == taught.key)
    assert set(taught.lengths) == set(game.sizes)
    for size in game.sizes.values():
        minutes = taught.minutes(size)
        assert minutes is not None
        assert minutes >= 2
    assert taught.minutes({}) is None
