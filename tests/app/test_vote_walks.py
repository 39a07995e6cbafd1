"""Vote games in which members vote at any time, served by two processes that may be interrupted.

After every round the moves must be those of an account of the votes that is kept apart from the code under test.
"""

from contextlib import suppress
from datetime import timedelta
from random import Random
from typing import Any

from bot.app.errors import Refused
from bot.app.volunteers import side
from db.values.members import TEAMS
from db.values.places import Place
from db.values.votes import VoteTerms
from tests.app.conftest import HERE, Host
from tests.seeds import chance_for, seeds

EVERY = timedelta(hours=1)
PEOPLE = {101: 1, 102: 1, 103: 1, 104: 1, 201: 2, 202: 2}
"""Members with their servers."""


class Killed(Exception):
    """A process ends between two steps."""


class Walk:
    """A vote game, its votes as they were accepted, and what must hold after each round."""

    def __init__(self, host: Host, random: Random) -> None:
        self.host, self.random, self.match = host, random, 0
        self.processes = host, Host(host.store, host.clock)
        self.began = host.clock.now()
        self.votes: dict[int, dict[int, tuple[str, int]]] = {}
        """By entry and member: the move and the number of the vote."""
        self.cast = 0

    async def begin(self) -> None:
        terms, votes = VoteTerms(EVERY, self.began + EVERY, named=False), self.host.services.votes
        if self.random.random() < 0.5:
            self.match = (await votes.start(HERE, "skull", 1, terms)).id
        else:
            self.match = (await votes.accept(await votes.invite(HERE, "skull", terms), Place(2, 21))).id
        schedule = self.host.store.votes.schedule

        async def interrupted(*values: Any, **options: Any) -> None:
            if self.random.random() < 0.2:
                raise Killed
            await schedule(*values, **options)

        self.host.store.votes.schedule = interrupted  # type: ignore[method-assign]  # killed after the move

    async def vote(self) -> None:
        """Let a member vote for a move, on a board that may be out of date."""
        loaded = await self.host.services.matches.load(self.match)
        moves = loaded.match.legal()
        if not moves:
            return
        user, move = self.random.choice([*PEOPLE]), self.random.choice(moves)
        plies = loaded.plies - self.random.choice((0, 0, 0, 1))
        votes = self.random.choice(self.processes).services.votes
        try:
            await votes.cast(self.match, user, PEOPLE[user], move, plies)
        except Refused:
            return
        assert plies == loaded.plies
        assert side(loaded, PEOPLE[user]) in loaded.waiting_for
        self.cast += 1
        given = self.votes.setdefault(plies, {})
        if user not in given or given[user][0] != move:
            given[user] = move, self.cast

    async def round(self) -> None:
        """Let time pass, and run a round of one process or of both."""
        self.host.clock.push(self.random.choice((EVERY / 4, EVERY, 3 * EVERY)))
        for process in self.random.sample(self.processes, self.random.choice((1, 2))):
            with suppress(Killed):
                await process.services.votes.close(self.match)
            await process.services.computer_turns.play(self.match)
        await self.check()

    async def check(self) -> None:
        """One move was played for each deadline: that with the most votes, or a hint after two without any."""
        stored = (await self.host.services.matches.load(self.match)).stored
        before = 0
        for ply, (entry, at) in enumerate(zip(stored.log, stored.times, strict=True)):
            if entry.seat is None or stored.users[entry.seat] not in TEAMS:
                continue
            deadline = (at - self.began) // EVERY
            given = self.votes.get(ply, {})
            found = await self.host.store.votes.votes(self.match, ply)
            assert {it.user: it.move for it in found} == {user: it[0] for user, it in given.items()}
            assert deadline > before, f"two moves for deadline {deadline}"
            if given:
                moves = {it[0] for it in given.values()}
                best = min(moves, key=lambda move: _rank([it for it in given.values() if it[0] == move]))
                assert entry.text == best, given
            else:
                assert deadline > before + 1, "the vote was not extended"
            before = deadline


def _rank(votes: list[tuple[str, int]]) -> tuple[int, int]:
    """Return what decides between moves: more votes first, then the earliest vote."""
    return -len(votes), min(number for _, number in votes)


@seeds(100)
async def test_votes_are_counted_once_and_one_move_is_played_for_each_deadline(host: Host, seed: int) -> None:
    walk = Walk(host, chance_for(f"votes {seed}"))
    await walk.begin()
    for _ in range(30):
        await (walk.round() if walk.random.random() < 0.3 else walk.vote())
    assert walk.cast
