"""No help for running rated games: the same position is found again however it was reached."""

import pytest

from bot.app.errors import Refused
from bot.app.review.fair_play import FairPlay
from db.api.matches.matches import NEAR
from rules.core.match import Match
from rules.games import find
from tests.app.conftest import ADA, ELSEWHERE, GRACE, Host


def played(size: int, *moves: str) -> Match:
    match = Match.start(find("alaric"), {"size": size}, 2)
    for move in moves:
        match = match.play(match.to_move[0], move)
    return match


async def rated_game(host: Host, *moves: str, rated: bool = True) -> None:
    table = await host.begin("alaric", "11", rated=rated)
    for ply, move in enumerate(moves):
        await host.services.matches.play(table.id, (ADA, GRACE)[ply % 2], move)


MOVES = ("1", "5", "3", "7", "10", "8")


@pytest.mark.parametrize(
    "moves",
    [
        MOVES,
        ("3", "7", "1", "5", "10", "8"),
        ("2", "6", "4", "8", "11", "9"),
        ("1", "8", "10", "6", "3", "5"),
        (*MOVES, "11"),
        (*MOVES, "11", "2"),
        MOVES[:-1],
        MOVES[:-2],
    ],
    ids=["same", "other order", "turned", "mirrored", "one further", "two further", "one back", "two back"],
)
async def test_position_of_a_running_rated_game_is_found(host: Host, moves: tuple[str, ...]) -> None:
    await rated_game(host, *MOVES)
    with pytest.raises(Refused, match="A rated game"):
        await FairPlay(host.store).check(played(11, *moves))


@pytest.mark.parametrize(
    "moves",
    [(*MOVES, "11", "2", "9"), MOVES[:-3], (*MOVES[:-1], "6"), ("1", "5")],
    ids=["three further", "three back", "another last move", "the beginning"],
)
async def test_other_positions_are_free(host: Host, moves: tuple[str, ...]) -> None:
    assert NEAR == 2
    await rated_game(host, *MOVES)
    await FairPlay(host.store).check(played(11, *moves))


async def test_other_sizes_casual_games_and_finished_games_forbid_nothing(host: Host) -> None:
    await rated_game(host, *MOVES, rated=False)
    finished = await host.begin("alaric", "11", ELSEWHERE)
    for ply, move in enumerate(MOVES):
        await host.services.matches.play(finished.id, (ADA, GRACE)[ply % 2], move)
    fair_play = FairPlay(host.store)
    with pytest.raises(Refused):
        await fair_play.check(played(11, *MOVES))
    await fair_play.check(played(12, *MOVES))
    await host.services.matches.resign(finished.id, ADA)
    await fair_play.check(played(11, *MOVES))


async def test_plies_near_a_running_rated_game_are_named(host: Host) -> None:
    await rated_game(host, *MOVES[:4])
    whole = played(11, *MOVES, "11", "2")
    assert await FairPlay(host.store).near(whole) == {2, 3, 4, 5, 6}
