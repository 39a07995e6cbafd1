"""Messages of explorations, without Discord: buttons, menus and words."""

from bot.app.review.explorer import Exploration
from bot.ui.explorer import ExploreButton, ExploreSelect, exploration_message, told
from rules.core.match import Match
from rules.games import find
from rules.lessons import lesson_of
from rules.players.explore import Worth
from rules.puzzles.stock import of_game
from tests.app.conftest import Host
from tests.app.puzzles import wrong_move
from tests.ui.exercises import LoneMember
from tests.ui.puzzles.test_solving import opened, solve


async def test_puzzle_is_explored_after_it_was_done(host: Host) -> None:
    puzzle = next(it for it in of_game("skull") if it.only_moves == 1)
    member = await opened(host, puzzle.name)
    assert not any(it.startswith("explore") for it in member.buttons)
    await solve(member, puzzle)
    await member.press(f"explore-puzzle:{puzzle.name}:0")
    assert f"✓ **Won**: `{puzzle.line[0]}` in {puzzle.plies}." in member.text
    wrong = wrong_move(puzzle, 0)
    button = next(it for it in member.buttons.values() if (it.custom_id or "").endswith(f":0:{wrong}"))
    assert (button.label or "").startswith(f"✗ {wrong}")
    await member.press(button.custom_id or "")
    assert f"after {len(puzzle.moves) + 1} moves" in member.text
    await member.press(next(it for it in member.buttons if it.endswith(":0:back")))
    assert f"after {len(puzzle.moves)} moves" in member.text


async def test_step_of_a_lesson_is_explored(host: Host) -> None:
    lesson = lesson_of("alaric")
    assert lesson is not None
    member = LoneMember(host)
    await member.use(ExploreButton("step:alaric:0"))
    member.check()
    assert lesson.steps[0].heading in member.text
    assert "It is the turn of" in member.text


async def test_many_moves_are_in_menus_with_the_best_first(host: Host) -> None:
    match = Match.start(find("cocomposite"), {"size": 16}, 2)
    worths = tuple(Worth(text, 0.5, False) for text in reversed(match.legal() or ()))
    content = await exploration_message(Exploration(1, 101, "a game", (match,), 0, worths), "paper")
    member = LoneMember(host, seen=[content])
    member.check()
    menus = [it for it in member._parts() if isinstance(it, ExploreSelect)]
    assert [len(menu.item.options) for menu in menus] == [25, 25, 25, 25]
    assert menus[0].item.options[0].value == worths[0].move
    assert ", and " in member.text
    assert " more." in member.text


def test_words_sort_moves_by_what_is_known_of_them() -> None:
    match = Match.start(find("alaric"), {"size": 5}, 2)
    worths = (
        Worth("1", 1.0, True, 7),
        Worth("2", 0.62, False),
        Worth("3", 0.5, True, 9),
        Worth("4", 0.0, True, None),
    )
    text = told(Exploration(1, 101, "a game", (match,), 0, worths))
    assert "✓ **Won**: `1` in 7." in text
    assert "= **Drawn**: `3`." in text
    assert "✗ **Lost**: `4`." in text
    assert "? **Estimated**: `2` 62%." in text
    assert text.endswith(
        "-# “in” counts the moves to the end of the game. Percentages are chances, estimated from trial games."
    )
