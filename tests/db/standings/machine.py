"""A state machine: rated games end, are taken back or deleted, and all standings are compared with a plain ladder.

While ratings are being recomputed, in chunks of a few games, only the counts of games are compared.
"""

import random
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from itertools import cycle, permutations, product

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from db.models import RatingRow, TallyRow
from db.rating_math import outcomes_of
from db.store import Store
from db.values.matches import Ending, NewEntry, StoredMatch
from db.values.places import DiscordId, Place
from db.values.standings import PeriodKind
from rules.core.match import Setup
from tests.db.given import FIRST, GUILD, SKULL, finished, second_of_two
from tests.db.ladder import MONDAY, Everything, assert_counted, everything, job, recomputed
from tests.db.standings.plain import Game, Ladder, Sat, kept
from tests.db.standings.told import KEYS, Look
from tests.state_machines import Run

USERS = (2**62 + 11, 12, 13, 14)
GUILDS = (GUILD, GUILD + 1)
PLACES = (Place(GUILDS[0], 1), Place(GUILDS[0], 1), Place(GUILDS[1], 2), Place(None, 3))
PAUSES = tuple(timedelta(hours=hours) for hours in (0, 1, 5, 40, 200))


@dataclass(frozen=True)
class Result:
    """The result of a game that ends `pause` after the previous one."""

    users: tuple[DiscordId, ...]
    ranks: tuple[int, ...]
    game: str
    place: Place
    pause: timedelta


def _result(
    users: Sequence[DiscordId], said: Sequence[int], game: str, place: Place, pause: timedelta
) -> Result:
    return Result(
        tuple(users[: len(said)]), tuple(1 + sum(it < own for it in said) for own in said), game, place, pause
    )


users, guilds, numbers = st.sampled_from(USERS), st.sampled_from(GUILDS), st.integers(0, 30)
results = st.builds(
    _result,
    st.permutations(USERS),
    st.lists(st.integers(1, 3), min_size=2, max_size=3),
    *map(st.sampled_from, (KEYS, PLACES, PAUSES)),
)

ACTS = (
    *("play", "play", "play", "play two games", "play two games", "play again and again", "play for fun"),
    *("take back", "take back", "take back", "take back at once"),
    *("recompute a little", "recompute a little", "recompute and fail", "recompute"),
    *("forget a member", "forget a server", "delete expired"),
    *("list or not", "list or not", "count everywhere or not", "rebuild"),
)


class StandingMachine(RuleBasedStateMachine):
    """A store, and the list of games that determines all standings."""

    def __init__(self, store: Store, engine: AsyncEngine, run: Run) -> None:
        super().__init__()
        self.store, self.engine, self.run = store, engine, run
        self.games: list[Game] = []
        """The games that are rated, in the order in which they were."""
        self.unlisted: set[DiscordId] = set()
        self.keeping: set[DiscordId] = set()
        """Servers whose games count nowhere else."""
        self.now = MONDAY
        self.looks = _things()

    # What happens

    @initialize(ended=st.lists(results, min_size=3, max_size=6))
    def come_together(self, ended: list[Result]) -> None:
        for result in ended:
            self.play(result)

    @rule(
        act=st.sampled_from(ACTS), ended=st.lists(results, min_size=1, max_size=3),
        number=numbers, user=users, guild=guilds,
    )  # fmt: skip
    def go_on(self, act: str, ended: list[Result], number: int, user: DiscordId, guild: DiscordId) -> None:
        """Run one action. There is one rule, since Hypothesis would leave out most of several rules in an example."""
        match act:
            case "play":
                self.come_together(ended)
            case "play again and again":
                self.come_together(ended[:1] * (2 + number % 4))
            case "play two games":
                for result in ended:
                    self.play_two(result)
            case "play for fun":
                self.play_for_fun(ended[0])
            case "take back":
                self.take_back(number)
            case "take back at once":
                self.take_back_at_once(ended[0])
            case "recompute a little":
                self.run(self.store.ratings.recompute(self.now, 1 + number % 3))
            case "recompute and fail":
                self.recompute_and_fail(1 + number % 4)
            case "recompute":
                self.recompute()
            case "forget a member":
                self.forget_member(user)
            case "forget a server":
                self.forget_server(guild)
            case "list or not":
                self.list_or_not(user)
            case "count everywhere or not":
                self.count_everywhere_or_not(guild)
            case "delete expired":
                self.delete_expired_boards()
            case _:
                self.rebuild(lost=number % 2 > 0)

    def play(self, result: Result, *, rated: bool = True) -> Game:
        self.now += result.pause
        guild = result.place.guild
        match: int = self.run(
            finished(
                self.store,
                result.users,
                outcomes_of(result.ranks),
                ranks=result.ranks if rated else None,
                at=self.now,
                place=result.place,
                setup=Setup(result.game, SKULL.options, len(result.users)),
            )
        )
        seats = [Sat(user, rank) for user, rank in zip(result.users, result.ranks, strict=True)]
        game = Game(match, result.game, guild, self.now, guild not in self.keeping, seats)
        if rated:
            self.games.append(game)
        return game

    def play_two(self, result: Result) -> None:
        """Play a two-game match. Nothing is rated until its second game ends."""
        self.now += result.pause
        before = self.all()
        guild, users, ranks = result.place.guild, result.users[:2], result.ranks[:2]
        ranks = tuple(1 + sum(it < own for it in ranks) for own in ranks)
        setup = Setup(result.game, SKULL.options, 2)
        second: StoredMatch = self.run(
            second_of_two(self.store, users[::-1], place=result.place, setup=setup, at=self.now)
        )
        assert self.all() == before
        assert second.first is not None
        self.run(
            self.store.matches.append(
                second.id, 0, NewEntry(FIRST, self.now), Ending(outcomes_of(ranks), ranks=ranks)
            )
        )
        seats = [Sat(user, rank) for user, rank in zip(users, ranks, strict=True)]
        everywhere = guild not in self.keeping
        self.games.append(
            Game(second.id, result.game, guild, self.now, everywhere, seats, first=second.first.id)
        )

    def play_for_fun(self, result: Result) -> None:
        before = self.all()
        self.play(result, rated=False)
        assert self.all() == before

    def take_back(self, number: int) -> None:
        """Take back any game; later games are rated again, now or while other things happen."""
        known = [it for it in self.games if not it.forgotten]
        if known:
            self.void(known[number % len(known)])

    def recompute(self) -> None:
        self.run(recomputed(self.store, self.now, 2))

    def recompute_and_fail(self, calls: int) -> None:
        """Fail within a chunk, at this call of the clock: then nothing has changed."""
        if not self.run(self.store.ratings.recomputing()):
            return
        left = iter(range(calls))
        before = self.all(), self.run(job(self.engine))

        def failing() -> float:
            if next(left, None) is None:
                raise InterruptedError
            return 0.0

        with suppress(InterruptedError):
            self.run(self.store.ratings.recompute(self.now, 9, failing))
            return  # The chunk ended before.
        assert (self.all(), self.run(job(self.engine))) == before

    def take_back_at_once(self, result: Result) -> None:
        """Take back the newest game: all ratings are then exactly as before it."""
        self.recompute()
        before = self.all()
        self.void(self.play(result))
        assert self.all() == before

    def void(self, game: Game) -> None:
        which = game.first if game.first is not None and game.match % 2 else game.match
        self.run(self.store.matches.void(which, self.now, "two accounts"))
        self.games.remove(game)
        assert self.run(self.store.ratings.changes(game.match)) is None

    def forget_member(self, user: DiscordId) -> None:
        """Delete the data of a member. The ratings of others do not change."""
        self.recompute()
        found = self.ladder.found
        for game in self.games:
            for number, seat in enumerate(game.seats):
                if seat.user == user:
                    game.weight = found[game.match].weight
                    seat.user, seat.held = None, found[game.match].before[number]
        self.run(self.store.privacy.erase(user))
        self.unlisted.discard(user)
        assert self.run(self.store.ratings.of_member(user)) == []

    def forget_server(self, guild: DiscordId) -> None:
        """Delete the data of a server. Its games still count on global leaderboards, if they did before."""
        self.run(self.store.servers.depart(self.now, guild))
        assert self.run(self.store.servers.forget(guild, self.now))
        self.keeping.discard(guild)
        for game in self.games:
            if game.guild == guild:
                game.guild, game.forgotten = None, True

    def list_or_not(self, user: DiscordId) -> None:
        self.unlisted ^= {user}
        self.run(self.store.members.change(user, listed=user not in self.unlisted))

    def count_everywhere_or_not(self, guild: DiscordId) -> None:
        self.keeping ^= {guild}
        self.run(self.store.servers.change(guild, everywhere=guild not in self.keeping))

    def delete_expired_boards(self) -> None:
        """Delete expired leaderboards: no rows of them are left."""
        for boards in self.run(self.store.leaderboards.expired(self.now)):
            while self.run(self.store.leaderboards.delete_expired(boards, 3)):
                pass
        assert {
            it.leaderboard.period for user in USERS for it in self.run(self.store.ratings.of_member(user))
        } <= kept(self.now)

    def rebuild(self, *, lost: bool) -> None:
        """Rebuild all ratings. If `lost`, all rating rows were deleted before."""
        self.recompute()
        self.delete_expired_boards()
        before, _ = self.all()
        ranks = {it.match: tuple(seat.rank for seat in it.seats) for it in self.games}
        if lost:
            self.run(self.lose())

        def judge(match: StoredMatch) -> tuple[int, ...] | None:
            return ranks.get(match.id)

        assert self.run(self.store.ratings.rebuild(judge, self.now)) == len(self.games)
        assert self.all()[0] == before

    async def lose(self) -> None:
        async with self.engine.begin() as connection:
            for table in (RatingRow.__tablename__, TallyRow.__tablename__):
                await connection.execute(text(f"DELETE FROM {table}"))

    def teardown(self) -> None:
        self.recompute()
        assert not self.run(self.store.ratings.recomputing())
        assert self.run(job(self.engine)) == []
        self.look()

    # What must be true

    @property
    def ladder(self) -> Ladder:
        return Ladder(self.games, frozenset(self.unlisted))

    def all(self) -> Everything:
        found: Everything = self.run(everything(self.engine))
        return found

    @invariant()
    def look(self) -> None:
        """Check all ratings and rated games, and the answers to a few queries."""
        look = Look(self.store, self.games, self.ladder, self.now)
        if self.run(self.store.ratings.recomputing()):
            self.run(look.counts())
            self.run(assert_counted(self.engine))
            return
        number, (period_kind, game, guild, (user, other)) = next(self.looks)
        self.run(look.ratings())
        self.run(assert_counted(self.engine))
        self.run(look.board(period_kind, user, game, guild))
        self.run(look.profile(user, game, guild))
        self.run(look.duels(user, other, guild))
        for rated in self.games[number % 3 :: 3]:
            self.run(look.changes(rated))


def _things() -> Iterator[tuple[int, tuple[PeriodKind, str | None, DiscordId | None, tuple[DiscordId, ...]]]]:
    """Yield everything that members can ask about, mixed so that neighbours differ."""
    things = list(product(PeriodKind, (None, *KEYS), (None, *GUILDS), permutations(USERS, 2)))
    return enumerate(cycle(random.Random(1).sample(things, len(things))))
