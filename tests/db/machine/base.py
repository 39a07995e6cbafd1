"""The base of the state machine: runs a query on the store and on the model and compares the results."""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine

from db.store import Store
from db.values.challenges import Answer, ChallengeChanged, Order, Participant, RematchExists, Reply, Terms
from db.values.clocks import ClocksMoved, SeatClock, TimeControl
from db.values.matches import NEAR, MovedOn, Outcome, PositionKeys, Turns
from db.values.places import Place
from db.values.proposals import ProposalClosed, ProposalExists
from rules.core.match import Ply
from tests.db.given import NOW
from tests.db.model import Model

USERS = (11, 12, 13)
GUILDS = (21, 22)
CHANNELS = (31, 32)
GAMES = ("skull", "alaric")
TIME_CONTROLS = (
    None,
    TimeControl(timedelta(minutes=2)),
    TimeControl(timedelta(minutes=2), timedelta(seconds=5)),
)

users, guilds, channels, games = map(st.sampled_from, (USERS, GUILDS, CHANNELS, GAMES))
places = st.builds(Place, st.none() | guilds, channels)
LAST = NOW + timedelta(minutes=5)
times = st.integers(0, 5).map(lambda minutes: NOW + timedelta(minutes=minutes))
time_controls = st.sampled_from(TIME_CONTROLS)
terms = st.builds(
    lambda game, order, time_control, two: Terms(
        game, (("n", 7),), 2 if two else 1, 2 if two else 3, order, time_control=time_control, games=1 + two
    ),
    games, st.sampled_from(Order), time_controls, st.booleans(),
)  # fmt: skip
answers = st.sampled_from([Answer.OPEN, Answer.OPEN, Answer.OPEN, Answer.DECLINED, Answer.WITHDRAWN])
minutes = st.integers(0, 3)
messages = st.integers(1, 2**63 - 1)
members = st.builds(
    lambda shuffled, said: tuple(map(Participant, shuffled, said)),
    st.permutations(USERS),
    st.lists(st.sampled_from(Reply), min_size=2, max_size=len(USERS)),
)
# PostgreSQL keeps no NUL in a text, and no game has one in a move.
texts = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=5)
plies = st.builds(Ply, st.none() | st.integers(0, 1), texts)
salts = st.none() | st.text("0123456789abcdef", min_size=32, max_size=32)
endings: st.SearchStrategy[tuple[Outcome, ...] | None] = st.none() | st.permutations(list(Outcome)).map(tuple)
spans = minutes.map(lambda minutes: timedelta(minutes=minutes))
running = st.builds(SeatClock, spans, times, st.none() | times)
clocks = st.tuples(*[st.none() | st.builds(SeatClock, spans) | running] * len(USERS))
"""One for each possible seat."""
turns: st.SearchStrategy[Turns | None] = st.none() | st.builds(
    Turns, st.tuples(*[st.none() | times] * len(USERS)), st.frozensets(st.integers(0, 2))
)
position_keys = st.integers(0, 3) | st.sampled_from([-(2**63), 2**63 - 1])
rows = st.text("RB", max_size=4)
positions = st.builds(
    PositionKeys,
    st.lists(position_keys, min_size=1, max_size=NEAR + 1).map(tuple),
    st.just(()) | st.tuples(*[st.none() | rows] * 2),
)

challenges = Bundle[int]("challenges")
matches = Bundle[int]("matches")
proposals = Bundle[int]("proposals")

Run = Callable[[Awaitable[Any]], Any]
REFUSALS = (ChallengeChanged, ClocksMoved, MovedOn, ProposalExists, RematchExists, ProposalClosed)


class Base(RuleBasedStateMachine):
    """A store and its model."""

    def __init__(self, store: Store, run: Run) -> None:
        super().__init__()
        self.store, self.run, self.model = store, run, Model()

    def both(self, real: Awaitable[object], modelled: Callable[[], object]) -> None:
        """Check that both return the same value or raise the same error."""
        try:
            expected = modelled()
        except REFUSALS as refusal:
            self.refused(real, refusal)
        else:
            assert self.run(real) == expected

    def refused(self, real: Awaitable[object], refusal: Exception) -> None:
        """Check that the store raises the same error as the model."""
        with pytest.raises(type(refusal)) as met:
            self.run(real)
        assert vars(refusal) == vars(met.value)
