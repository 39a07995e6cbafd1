"""Whatever is done, in whatever order, the store says what a few dictionaries say."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, multiple, rule, run_state_machine_as_test
from sqlalchemy.ext.asyncio import AsyncEngine

from db.address import address
from db.engine import make_engine, open_store
from db.models import Base
from db.store import SqlStore
from db.values import (
    Answer,
    Answered,
    MovedOn,
    NewChallenge,
    Order,
    Outcome,
    Panel,
    Participant,
    Place,
    Reply,
    Search,
    StoredMatch,
    Terms,
)
from rules.core.match import VOID, Ply
from tests.db.given import NOW
from tests.db.model import Model

USERS = (11, 12, 13)
GUILDS = (21, 22)
CHANNELS = (31, 32)
GAMES = ("skull", "alaric")

users, guilds, channels, games = map(st.sampled_from, (USERS, GUILDS, CHANNELS, GAMES))
places = st.builds(Place, st.none() | guilds, channels)
times = st.integers(0, 5).map(lambda minutes: NOW + timedelta(minutes=minutes))
terms = st.builds(Terms, games, st.just((("n", 7),)), st.just(1), st.just(3), st.sampled_from(Order))
answers = st.sampled_from([Answer.OPEN, Answer.OPEN, Answer.OPEN, Answer.DECLINED, Answer.WITHDRAWN])
minutes = st.integers(0, 3)
replies = st.sampled_from(Reply)
members = st.builds(
    lambda shuffled, said: tuple(map(Participant, shuffled, said)),
    st.permutations(USERS),
    st.lists(replies, min_size=2, max_size=len(USERS)),
)
# PostgreSQL keeps no NUL in a text, and no game has one in a move.
texts = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=5)
plies = st.builds(Ply, st.none() | st.integers(0, 1), texts)
salts = st.none() | st.text("0123456789abcdef", min_size=32, max_size=32)
endings: st.SearchStrategy[tuple[Outcome, ...] | None] = st.none() | st.permutations(list(Outcome)).map(tuple)

Run = Callable[[Awaitable[Any]], Any]


class StoreMachine(RuleBasedStateMachine):
    """Does the same to the store and to the model, and compares what they say."""

    challenges = Bundle[int]("challenges")
    matches = Bundle[int]("matches")

    def __init__(self, store: SqlStore, run: Run) -> None:
        super().__init__()
        self.store, self.run, self.model = store, run, Model()

    def both(self, real: Awaitable[object], modelled: Callable[[], object]) -> None:
        """The two answer alike, or refuse alike."""
        try:
            expected = modelled()
        except (Answered, MovedOn) as refusal:
            with pytest.raises(type(refusal)) as met:
                self.run(real)
            expected, said = vars(refusal), vars(met.value)
        else:
            said = self.run(real)
        assert said == expected

    @rule(
        target=challenges,
        terms=terms,
        place=places,
        ours=members,
        public=st.booleans(),
        made=times,
        minutes=minutes,
    )
    def challenge(
        self,
        terms: Terms,
        place: Place,
        ours: tuple[Participant, ...],
        public: bool,
        made: datetime,
        minutes: int,
    ) -> int:
        late = made + timedelta(minutes=minutes)
        new = NewChallenge(terms, place, ours[0].user, ours, public, made, late)
        stored = self.run(self.store.add_challenge(new))
        self.model.add_challenge(stored.id, new)
        assert stored == self.model.all_challenges[stored.id]
        return int(stored.id)

    @rule(challenge=challenges, message=st.integers(1, 2**63 - 1))
    def show_challenge(self, challenge: int, message: int) -> None:
        self.both(
            self.store.show_challenge(challenge, message),
            lambda: self.model.show_challenge(challenge, message),
        )

    @rule(target=matches, challenge=challenges, ours=members, version=st.integers(1, 3), at=times)
    def accept(self, challenge: int, ours: tuple[Participant, ...], version: int, at: datetime) -> Any:
        before = self.model.all_challenges[challenge]
        after = replace(before, participants=ours, answer=Answer.ACCEPTED)
        seats = tuple(it.user for it in ours)
        real = self.store.accept(before, after, seats, version, at)
        if before.answer is not Answer.OPEN:
            self.both(real, lambda: self.model.still(before))
            return multiple()
        match: StoredMatch = self.run(real)
        assert match == self.model.accept(before, after, match.id, seats, version, at)
        return match.id

    @rule(challenge=challenges, late=st.booleans(), ours=members, answer=answers, at=times)
    def change(
        self, challenge: int, late: bool, ours: tuple[Participant, ...], answer: Answer, at: datetime
    ) -> None:
        """Sometimes by somebody who has not seen that a member has gone."""
        now = self.model.all_challenges[challenge]
        before = replace(now, participants=now.participants[:-1]) if late else now
        after = replace(now, participants=ours, answer=answer)
        self.both(self.store.change(before, after, at), lambda: self.model.change(before, after, at))

    @rule(at=times)
    def expire(self, at: datetime) -> None:
        self.both(self.store.expire(at), lambda: self.model.expire(at))

    @rule(match=matches, late=st.integers(-1, 3), ply=plies, at=times, ending=endings, salt=salts)
    def append(
        self,
        match: int,
        late: int,
        ply: Ply,
        at: datetime,
        ending: tuple[Outcome, ...] | None,
        salt: str | None,
    ) -> None:
        # Mostly for the ply that is due, sometimes for the one before or after.
        number = len(self.model.matches[match].log) + (late if abs(late) == 1 else 0)
        ending = ending and ending[: self.model.matches[match].setup.players]
        self.both(
            self.store.append(match, number, ply, at, ending, salt),
            lambda: self.model.append(match, number, ply, at, ending, salt),
        )

    @rule(match=matches, late=st.integers(-1, 3), at=times, reason=texts)
    def break_off(self, match: int, late: int, at: datetime, reason: str) -> None:
        number = len(self.model.matches[match].log) + (late if abs(late) == 1 else 0)
        entry = Ply(None, VOID)
        self.both(
            self.store.break_off(match, number, entry, at, reason),
            lambda: self.model.break_off(match, number, entry, at, reason),
        )

    @rule(match=matches, channel=channels, home=st.none() | channels)
    def move(self, match: int, channel: int, home: int | None) -> None:
        self.both(self.store.move(match, channel, home), lambda: self.model.move(match, channel, home))

    @rule(match=matches, behind=st.integers(0, 1), channel=channels, message=st.integers(1, 2**63 - 1))
    def show(self, match: int, behind: int, channel: int, message: int) -> None:
        shown = max(0, len(self.model.matches[match].log) - behind)
        panel = Panel(channel, message, shown)
        self.both(self.store.show(match, panel), lambda: self.model.show(match, panel))

    @rule(user=st.none() | users, channel=st.none() | channels, guild=st.none() | guilds)
    def look(self, user: int | None, channel: int | None, guild: int | None) -> None:
        self.both(
            self.store.running(user=user, channel=channel, guild=guild),
            lambda: self.model.running(user, channel, guild),
        )
        place = None if channel is None else Place(guild, channel)
        self.both(self.store.challenges(user=user, place=place), lambda: self.model.challenges(user, place))

    @rule(user=users, since=times)
    def look_back(self, user: int, since: datetime) -> None:
        self.both(self.store.made_by(user, since), lambda: self.model.made_by(user, since))

    @rule(guild=guilds, game=st.none() | games, limit=st.integers(1, 3))
    def rank(self, guild: int, game: str | None, limit: int) -> None:
        self.both(self.store.standings(guild, game, limit), lambda: self.model.standings(guild, game, limit))

    @rule(
        guild=guilds, game=st.none() | games, member=st.none() | users, other=st.none() | users,
        outcome=st.none() | st.sampled_from(Outcome), limit=st.integers(1, 3),
        mark=st.none() | matches | st.just(10**6), newer=st.booleans(),
    )  # fmt: skip
    def search(
        self, guild: int, game: str | None, member: int | None, other: int | None,
        outcome: Outcome | None, limit: int, mark: int | None, newer: bool,
    ) -> None:  # fmt: skip
        wanted = Search(guild, game)
        if member is not None:
            wanted = Search(guild, game, member, other if other != member else None, outcome)
        self.both(
            self.store.finished(wanted, limit, mark=mark, newer=newer),
            lambda: self.model.finished(wanted, limit, mark, newer),
        )

    def teardown(self) -> None:
        for challenge in self.model.all_challenges.values():
            assert self.run(self.store.challenge(challenge.id)) == challenge
        for match in self.model.matches.values():
            assert self.run(self.store.load(match.id)) == match
        assert self.run(self.store.unshown()) == self.model.unshown()


@pytest.fixture
def run() -> Iterator[Run]:
    """Waits for something, outside of any event loop, as Hypothesis calls its rules."""
    with asyncio.Runner(loop_factory=asyncio.new_event_loop) as runner:

        async def wait(it: Awaitable[Any]) -> Any:
            return await it

        yield lambda it: runner.run(wait(it))


async def emptied(engine: AsyncEngine) -> None:
    async with engine.begin() as connection:
        for table in reversed(Base.metadata.sorted_tables):
            await connection.execute(table.delete())


def test_the_store_does_what_its_model_does(store_url: str, tmp_path: Path, run: Run) -> None:
    opening = open_store(store_url, tmp_path)
    store: SqlStore = run(opening.__aenter__())
    engine = make_engine(address(store_url, tmp_path))

    def machine() -> StoreMachine:
        run(emptied(engine))
        return StoreMachine(store, run)

    try:
        run_state_machine_as_test(
            machine,  # type: ignore[arg-type]  # documented to take a factory, annotated to take a class
            settings=settings(
                max_examples=20,
                stateful_step_count=25,
                deadline=None,
                suppress_health_check=list(HealthCheck),
            ),
        )
    finally:
        run(engine.dispose())
        run(opening.__aexit__(None, None, None))
