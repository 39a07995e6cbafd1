"""The application on a real store, with a clock and randomness that the tests control."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import pytest

from bot.app.challenges.terms import terms_of
from bot.app.clocks.arithmetic import started
from bot.app.clocks.time_controls import read_time_control
from bot.app.matches.loaded import LoadedMatch, position_keys
from bot.app.searches import Found, Purpose
from bot.app.services import Services
from bot.search.bestmove import (
    choice_in,
    moments_in,
    moments_question,
    move_question,
    worths_in,
    worths_question,
)
from db.engine import open_store
from db.store import Store
from db.values.challenges import Answer, NewChallenge, Participant, Reply
from db.values.matches import MatchOptions
from db.values.members import is_computer
from db.values.places import DiscordId, Ownership, Place
from db.values.posts import PostKind
from rules.core.game import Seat
from rules.core.match import Match
from rules.games import find
from rules.players import bestmove, explore
from rules.players.explore import Worth
from rules.players.levels import Budget
from rules.players.player import Choice
from rules.puzzles import moments
from tests.db.compiled import in_loop
from tests.db.given import post_of
from tests.db.migrated import lay

ADA, GRACE, EMMY = 101, 102, 103
HERE = Place(guild=1, channel=11)
ELSEWHERE = Place(guild=1, channel=12)
LIFETIME = timedelta(hours=1)
GRACE_PERIOD = timedelta(days=30)


class DrivenClock:
    """A clock that stands still until it is pushed."""

    def __init__(self) -> None:
        self.time = datetime(2026, 1, 1, tzinfo=UTC)
        self.passed = timedelta(0)

    def now(self) -> datetime:
        return self.time

    def monotonic(self) -> timedelta:
        return self.passed

    def push(self, span: timedelta) -> None:
        """Let time pass."""
        self.time += span
        self.passed += span

    def jump(self, span: timedelta) -> None:
        """Set the wall clock forward or back; the machine's suspension also looks like this."""
        self.time += span


class NoLot:
    """Leaves players in the order given: the challenger begins. Chance takes the middle of its choices.

    No two salts are the same.
    """

    def __init__(self) -> None:
        self._salts = count(1)

    def shuffled(self, users: Sequence[DiscordId]) -> tuple[DiscordId, ...]:
        return tuple(users)

    def pick(self, weights: Sequence[int]) -> int:
        return len(weights) // 2

    def salt(self) -> str:
        return f"{next(self._salts):032x}"


class SearchHere:
    """Searches in this process, since starting another takes longer than most of them; tests/search tries those."""

    async def choose(
        self, match: Match, seat: Seat, budget: Budget, seed: int = 0, purpose: Purpose = Purpose.MOVE
    ) -> Choice:
        return choice_in(await self._answer(bestmove.answer, move_question(match, seat, budget, seed)))

    async def moments(self, match: Match) -> Found:
        return moments_in(match, await self._answer(moments.answer, moments_question(match)))

    async def worths(self, match: Match) -> tuple[Worth, ...]:
        return worths_in(await self._answer(explore.answer, worths_question(match, 0.05)))

    async def _answer(self, answer: Callable[[str], dict[str, object]], question: bytes) -> dict[str, object]:
        await asyncio.sleep(0)  # other tasks go on, as they do while a process searches
        found: dict[str, object] = json.loads(json.dumps(answer(question.decode())))
        return found


class Host:
    """The application's services around one store."""

    def __init__(
        self, store: Store, clock: DrivenClock | None = None, ownership: Ownership | None = None
    ) -> None:
        """`ownership` is the same that the store was opened with, for tests in which it matters."""
        self.store = store
        self.clock = clock or DrivenClock()
        self.search = SearchHere()
        self.services = Services(
            store,
            self.clock,
            NoLot(),
            self.search,
            theme="paper",
            challenge_lifetime=LIFETIME,
            departure_grace=GRACE_PERIOD,
            ownership=ownership,
        )

    async def pass_time(self, span: timedelta) -> None:
        """Let time pass while the host is there."""
        self.clock.push(span)
        await self.store.clocks.alive(self.clock.now(), timedelta.max)

    async def posted(self, kind: PostKind, subject: int, message: DiscordId, key: str = "") -> None:
        """Let a message of Discord show a post as it is now."""
        post = await post_of(self.store, kind, subject, key)
        log = await self.store.matches.load(subject) if kind is PostKind.BOARD else None
        progress = 0 if log is None else len(log.log)
        await self.store.posts.keep(replace(post, message=message, shown=post.version, progress=progress))

    async def accept(self, challenge: int, user: DiscordId, game: str | None = None) -> LoadedMatch:
        """Accept a challenge as the last member who was asked. Return the match that begins."""
        _, loaded = await self.services.challenges.accept(challenge, user, game)
        assert loaded is not None
        return loaded

    async def begin(
        self,
        game: str,
        size: str = "",
        place: Place = HERE,
        others: Sequence[DiscordId] = (GRACE,),
        clock: str = "",
        *,
        rated: bool = True,
        games: int = 1,
    ) -> LoadedMatch:
        """Begin a match of Ada, who moves first, against Grace (or these others), who have all agreed.

        It is stored as the service of challenges does, without reading again what limits the number of games.
        """
        users = (ADA, *others)
        options = MatchOptions(time_control=read_time_control(clock), rated=rated, games=games)
        terms = terms_of(game, size, len(users), len(users), options=options)
        agreed = tuple(Participant(user, Reply.IN) for user in users)
        at = self.clock.now()
        offer = await self.store.challenges.add(
            NewChallenge(terms, place, ADA, agreed, False, at, at + LIFETIME)
        )
        after = replace(offer, answer=Answer.ACCEPTED)
        first = Match.start(find(game), dict(terms.options), len(users))
        computers = [seat for seat, user in enumerate(users) if is_computer(user)]
        keys = position_keys(first, rated=rated)
        matches = self.services.matches
        async with matches.move_log.shard_clocks.storing(place.guild, options.time_control) as now:
            clocks = started(options.time_control, first, now, untimed=computers)
            stored = await self.store.challenges.accept(
                offer, after, users, first.game.version, now, clocks, keys
            )
        return await matches.follow(LoadedMatch.of(stored))


@pytest.fixture
async def host(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Host]:
    lay(tmp_path)
    with in_loop(request):
        async with open_store(None, tmp_path, prepared=True) as store:
            host = Host(store)
            yield host
