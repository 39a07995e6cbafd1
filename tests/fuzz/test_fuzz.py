"""A part of `python -m tests.fuzz`: nothing but accepted inputs and sentences."""

import pytest

from rules.core.errors import BadSetup
from rules.core.sizes import read_size
from rules.games import GAMES
from tests.fuzz.campaign import Counts, run
from tests.fuzz.records import Imports
from tests.fuzz.referee import Moves, Setups
from tests.seeds import SEED


def check(counts: Counts, most_accepted: float, least_accepted: float) -> None:
    """Nothing was found, and the inputs were neither all harmless nor all nonsense."""
    assert not counts.findings, "\n".join(first for _, first in counts.findings.values())
    assert least_accepted * counts.inputs < counts.accepted < most_accepted * counts.inputs, counts.line()


@pytest.mark.parametrize("inputs", [1_000, pytest.param(400_000, marks=pytest.mark.soak)])
async def test_moves(inputs: int) -> None:
    counts = await run(Moves(SEED), inputs, SEED, measured=False)
    check(counts, 0.3, 0.03)
    assert len(counts.kinds) > 30


@pytest.mark.parametrize("inputs", [250, pytest.param(50_000, marks=pytest.mark.soak)])
async def test_setups(inputs: int) -> None:
    check(await run(Setups(), inputs, SEED, measured=False), 0.3, 0.03)


@pytest.mark.parametrize("inputs", [150, pytest.param(60_000, marks=pytest.mark.soak)])
async def test_records(inputs: int) -> None:
    check(await run(Imports(SEED), inputs, SEED, measured=False), 0.4, 0.05)


@pytest.mark.parametrize("size", ["`", "9" * 201, "7" + " " * 200])
def test_a_size_that_cannot_be_read_is_not_called_a_move(size: str) -> None:
    for game in GAMES:
        with pytest.raises(BadSetup, match=f"is no size of {game.sheet.title}"):
            read_size(game, size)
