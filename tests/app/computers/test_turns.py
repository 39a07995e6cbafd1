"""Computer players move when it is their turn, whoever looks after them and whatever happened before."""

import asyncio
from datetime import timedelta

import pytest

from bot.app.achievements import awarded
from bot.app.challenges.terms import terms_of
from bot.app.clocks.time_controls import read_time_control
from bot.app.computers import ComputerTurns, played_by_computers
from bot.app.matches.loaded import LoadedMatch
from bot.app.searches import Purpose
from db.values.challenges import Order
from db.values.matches import Award, MatchOptions
from db.values.members import LEVELS, computer_player
from db.values.places import Ownership
from rules.core.game import Seat
from rules.core.match import Match
from rules.core.prompt import RowPrompt, WordsPrompt
from rules.games import GAMES
from rules.players.levels import Budget
from rules.players.player import Choice
from tests.app.achievements.records import RECORDS, replayed
from tests.app.conftest import ADA, GRACE, HERE, Host, NoLot

pytestmark = pytest.mark.slow

SAMPLE = ("skull", "palindromes")
PLAYED = [
    pytest.param(game.key, next(iter(game.sizes)), marks=() if game.key in SAMPLE else pytest.mark.soak)
    for game in GAMES
    if played_by_computers(game.key)
]
"""Each with its shortest size."""


@pytest.mark.parametrize(("game", "size"), PLAYED)
async def test_a_game_to_its_end(host: Host, game: str, size: str) -> None:
    loaded = await host.services.computer_games.play(HERE, ADA, game, 1, size, Order.LAST)
    assert [it async for it in host.services.computer_turns.pending()] == [loaded.id]
    number = 0
    while not loaded.match.over:
        await host.services.computer_turns.play(loaded.id)
        loaded = await host.services.matches.load(loaded.id)
        assert loaded.computer_on_turn is None
        if not loaded.match.over:
            moves = loaded.match.legal() or sample(loaded, ADA)
            loaded = await host.services.matches.play(loaded.id, ADA, moves[number % len(moves)])
        number += 1
    assert [it async for it in host.services.computer_turns.pending()] == []
    assert {entry.seat for entry in loaded.match.log} >= {0, 1}


def sample(loaded: LoadedMatch, user: int) -> list[str]:
    """Return a move of a player where moves are secret: the first row that there is, or to be done."""
    prompt = loaded.match.observe(loaded.seat_of(user)).prompt
    if isinstance(prompt, RowPrompt):
        return ["R" * prompt.reds + "B" * prompt.blacks]
    assert isinstance(prompt, WordsPrompt)
    return [prompt.stop]


async def test_two_tasks_make_one_move(host: Host) -> None:
    loaded = await host.services.computer_games.play(HERE, ADA, "skull", 1, "quick", Order.LAST)
    turns = host.services.computer_turns
    await asyncio.gather(*(turns.play(loaded.id) for _ in range(3)))
    assert len((await host.services.matches.load(loaded.id)).match.log) == 1


async def test_no_time_is_taken_from_a_computer_player(host: Host) -> None:
    """A match of members and computer players waits for the computer player longer than its members may think."""
    seats = await host.services.computer_games.seated(ADA, "maze", 1, 1)
    terms = terms_of("maze", "quick", 3, 3, Order.LAST, MatchOptions(time_control=read_time_control("5m+0s")))
    offer = await host.services.challenges.make(HERE, ADA, terms, (GRACE,), seats)
    loaded = await host.accept(offer.id, GRACE)
    first = loaded.stored.users[0]
    if first == GRACE:
        moves = loaded.match.legal() or ()
        loaded = await host.services.matches.play(loaded.id, GRACE, moves[0])
    assert loaded.waiting_for == seats
    await host.pass_time(timedelta(hours=3))
    assert not (await host.services.timekeeper.round()).decided
    assert await host.services.computer_turns.play(loaded.id)
    assert (await host.services.matches.load(loaded.id)).waiting_for in ((ADA,), (GRACE,))


class Endless:
    """A search that goes on until it is cancelled, which it notes."""

    def __init__(self) -> None:
        self.begun, self.ended = asyncio.Event(), False

    async def choose(
        self, match: Match, seat: Seat, budget: Budget, seed: int = 0, purpose: Purpose = Purpose.MOVE
    ) -> Choice:
        self.begun.set()
        try:
            never: asyncio.Future[Choice] = asyncio.get_running_loop().create_future()
            return await never
        finally:
            self.ended = True


async def test_a_search_ends_when_the_match_has_moved_on(host: Host) -> None:
    search = Endless()
    turns = ComputerTurns(host.store, host.services.matches, search, NoLot(), Ownership())
    loaded = await host.services.computer_games.play(HERE, ADA, "skull", 1, "quick", Order.LAST)
    playing = asyncio.create_task(turns.play(loaded.id))
    await search.begun.wait()
    turns.moved_on(loaded)
    await asyncio.sleep(0)
    assert not search.ended, "the match stands where it stood"
    after = await host.services.matches.resign(loaded.id, ADA)
    turns.moved_on(after)
    assert await playing is False
    assert search.ended


@pytest.mark.parametrize("mover", [ADA, computer_player(1)])
async def test_search_for_a_hidden_move_ends_when_it_was_made(host: Host, mover: int) -> None:
    search = Endless()
    turns = ComputerTurns(host.store, host.services.matches, search, NoLot(), Ownership())
    loaded = await host.services.computer_games.play(HERE, ADA, "palindromes", 1, "quick", Order.LAST)
    playing = asyncio.create_task(turns.play(loaded.id))
    await search.begun.wait()
    loaded = await host.services.matches.load(loaded.id)
    turns.moved_on(await host.services.matches.play(loaded.id, mover, sample(loaded, mover)[0]))
    await asyncio.sleep(0)
    assert search.ended is (mover != ADA)
    playing.cancel()
    await asyncio.gather(playing, return_exceptions=True)


@pytest.mark.parametrize("level", LEVELS)
def test_achievements_are_earned_against_the_higher_levels_and_by_members_alone(level: int) -> None:
    record = next(record for record in RECORDS if record["earned"] == {"1": ["skull.yorick"]})
    match = replayed(record)
    worthy = (Award(1, "skull.yorick"),) if level >= 4 else ()
    assert awarded(match, (computer_player(level), ADA)) == worthy
    assert awarded(match, (ADA, computer_player(level))) == ()
    assert awarded(match, (GRACE, ADA)) == (Award(1, "skull.yorick"),)
