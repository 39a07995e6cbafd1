"""Members do anything in any order: every match stays one consistent record, and nobody loses a result."""

from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import initialize

from db.engine import open_store
from db.values.challenges import Order
from rules.core.game import Game
from tests.app.stateful.offers import OfferRules
from tests.app.stateful.preferences import PreferenceRules
from tests.app.stateful.privacy import PrivacyRules
from tests.app.stateful.proposals import ProposalRules
from tests.app.stateful.strategies import PLACES, clocks, crowded, games, groups, seeds
from tests.app.stateful.time_passing import TimeRules
from tests.seeds import SHARE
from tests.state_machines import outside_a_loop, run_examples

pytestmark = pytest.mark.slow


class HostMachine(OfferRules, ProposalRules, PreferenceRules, PrivacyRules, TimeRules):
    """Members do anything at any time, allowed or not."""

    @initialize(
        users=groups, seats=st.integers(2, 4), begun=st.lists(games, min_size=2, max_size=3), clock=clocks,
        moves=st.integers(0, 3), opened=crowded | games, fewer=st.integers(0, 1), seed=seeds, two=st.booleans(),
    )  # fmt: skip
    def arrive(
        self, users: Sequence[int], seats: int, begun: Sequence[Game[Any, Any]], clock: str,
        moves: int, opened: Game[Any, Any], fewer: int, seed: int, two: bool,
    ) -> None:  # fmt: skip
        """At the start some games have begun, and a lobby waits for others to join."""
        for game in begun:
            self.ask(users, seats, game, 1, PLACES[0], Order.LISTED, clock, all_accept=True, two=two)
        for number in range(len(begun)):
            self.play_on(number, seed, moves)
        self.open_for(users[0], opened, seats, fewer, PLACES[0], Order.LOT, clock)
        offer = self.snapshot.challenges[-1]
        if offer.terms.most > 2:
            self.accept(offer.id, users[1])


@pytest.mark.parametrize(
    ("examples", "steps"), [(round(20 * SHARE), 30), pytest.param(300, 80, marks=pytest.mark.soak)]
)
def test_whatever_members_do(tmp_path: Path, examples: int, steps: int) -> None:
    """Each example has an empty database of its own."""
    prepared, numbers = tmp_path / "prepared", count(1)
    prepared.mkdir()
    with outside_a_loop() as run:
        run(empty(prepared))
        run_examples(lambda: HostMachine(prepared, tmp_path / str(next(numbers)), run), examples, steps)


async def empty(folder: Path) -> None:
    """Make the tables."""
    async with open_store(None, folder):
        pass
