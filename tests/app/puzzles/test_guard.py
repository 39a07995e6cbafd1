"""No puzzle gives a running game away: not by its position, not by one of its line, not rotated or mirrored."""

from collections.abc import Iterator

import pytest

from bot.app.errors import Refused
from bot.app.puzzles.puzzles import REFUSAL
from rules.core.match import Match
from rules.puzzles.puzzle import Puzzle
from rules.puzzles.stock import RECIPES, in_turn, of_game
from tests.app.conftest import ADA, ELSEWHERE, EMMY, GRACE, HERE, Host
from tests.rules.images import images

pytestmark = pytest.mark.slow


async def running(host: Host, match: Match, *, rated: bool = False) -> int:
    """A running game of Ada and Grace that stands at the position of this match."""
    loaded = await host.begin(match.game.key, size_of(match), ELSEWHERE, rated=rated)
    for seat, text in match.log:
        assert seat is not None
        await host.services.matches.play(loaded.id, (ADA, GRACE)[seat], text)
    assert (await host.services.matches.load(loaded.id)).match.state == match.state
    return loaded.id


def size_of(match: Match) -> str:
    return " ".join(f"{key} {value}" for key, value in match.setup.options)


async def assert_refused(host: Host, name: str) -> None:
    puzzles = host.services.puzzles
    for ask in (puzzles.open, puzzles.exercise, puzzles.begin_again, puzzles.ended):
        with pytest.raises(Refused, match="A game that is being played"):
            await ask(EMMY, name, HERE)


ALL = [pytest.param(game, marks=[] if game in ("skull", "maze") else pytest.mark.soak) for game in RECIPES]


@pytest.mark.parametrize("game", ALL)
@pytest.mark.parametrize("rated", [False, pytest.param(True, marks=pytest.mark.soak)])
async def test_a_position_of_a_running_game_is_no_puzzle(host: Host, game: str, rated: bool) -> None:
    puzzle = of_game(game)[0]
    match = await running(host, puzzle.match, rated=rated)
    await assert_refused(host, puzzle.name)
    await host.services.matches.resign(match, ADA)
    assert (await host.services.puzzles.open(EMMY, puzzle.name, HERE)).solved is None


@pytest.mark.parametrize("game", ALL)
async def test_nor_is_one_that_is_rotated_or_mirrored(host: Host, game: str) -> None:
    puzzle = of_game(game)[0]
    turned = next(turned_ones(puzzle))
    assert turned.log != puzzle.match.log
    assert turned.position_key == puzzle.match.position_key
    await running(host, turned)
    await assert_refused(host, puzzle.name)


def turned_ones(puzzle: Puzzle) -> Iterator[Match]:
    """Yield the position of a puzzle on rotated and mirrored boards, as far as its moves can be written there."""
    found = [image for image in images(puzzle.match) if image.state != puzzle.match.state]
    yield from found or other_orders(puzzle.match)


def other_orders(match: Match) -> Iterator[Match]:
    """Yield the mirrored position of a maze, whose walls were drawn in the same order; its sections have other numbers.

    It is found by trying: each filled section has a mirror image.
    """
    size = dict(match.setup.options)["size"]
    mirrored = Match.start(match.game, dict(match.setup.options), 2)
    for ply, (seat, text) in enumerate(match.log):
        moves = mirrored.legal() or ()
        goal = Match.replay(match.game, match.setup, match.log[: ply + 1])
        mirror = {f"{chr(ord('a') + size - (ord(it[0]) - ord('a')))}{it[1:]}" for it in text.split("-")}
        fitting = [move for move in moves if set(move.split("-")) == mirror] or moves
        mirrored = next(
            after
            for move in fitting
            if (after := mirrored.play(seat, move)).position_key == goal.position_key
        )
    yield mirrored


async def test_a_position_of_the_line_is_not_given_away_either(host: Host) -> None:
    puzzle = next(it for it in of_game("alaric") if it.only_moves >= 3)
    await running(host, puzzle.after(2))
    await assert_refused(host, puzzle.name)


async def test_moving_is_refused_once_a_game_has_come_there(host: Host) -> None:
    puzzle = next(it for it in of_game("alaric") if it.only_moves == 2)
    puzzles = host.services.puzzles
    exercise = await puzzles.exercise(EMMY, puzzle.name, HERE)
    await exercise.play(0, EMMY, puzzle.line[0])
    await puzzles.save(exercise)
    await running(host, puzzle.after(1))
    await assert_refused(host, puzzle.name)


async def test_another_size_or_position_forbids_nothing(host: Host) -> None:
    first, *others = of_game("skull")
    await running(host, first.match)
    other = next(it for it in others if it.match.setup == first.match.setup)
    assert (await host.services.puzzles.open(EMMY, other.name, HERE)).solved is None


async def test_the_puzzle_of_a_day_leaves_running_games_out(host: Host) -> None:
    puzzles = host.services.puzzles
    first, second, *_ = in_turn(puzzles.today)
    match = await running(host, first.match)
    assert await puzzles.of_day(puzzles.today) == second
    await host.services.matches.resign(match, ADA)
    assert await puzzles.of_day(puzzles.today) == second, "what was chosen stays"


async def test_the_archive_leaves_running_games_out(host: Host) -> None:
    puzzles = host.services.puzzles
    offered = await puzzles.choose(EMMY, "skull", 1)
    await running(host, (await puzzles.find(offered)).match)
    assert await puzzles.choose(EMMY, "skull", 1) != offered
    assert REFUSAL.endswith(".")
