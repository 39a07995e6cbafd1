"""A part of `python -m tests.fuzz`: nothing but accepted inputs and sentences; and the command finds what is wrong."""

from collections.abc import Callable
from random import Random

import pytest

from rules.core.errors import BadSetup
from rules.core.sizes import read_size
from rules.games import GAMES
from tests.fuzz.campaign import Counts, Hanging, Target, Verdict, run, watched
from tests.fuzz.records import Imports
from tests.fuzz.referee import Moves, Setups
from tests.rules.hostile import check_sentence
from tests.seeds import SEED


def check(counts: Counts, most_accepted: float, least_accepted: float) -> None:
    """Nothing was found, and the inputs were neither all harmless nor all nonsense."""
    assert not counts.findings, "\n".join(first for _, first in counts.findings.values())
    assert least_accepted * counts.inputs < counts.accepted < most_accepted * counts.inputs, counts.line()


@pytest.mark.parametrize("inputs", [4_000, pytest.param(400_000, marks=pytest.mark.soak)])
async def test_moves(inputs: int) -> None:
    counts = await run(Moves(SEED), inputs, SEED, measured=False)
    check(counts, 0.3, 0.03)
    assert len(counts.kinds) > 30


@pytest.mark.parametrize("inputs", [1_000, pytest.param(50_000, marks=pytest.mark.soak)])
async def test_setups(inputs: int) -> None:
    check(await run(Setups(), inputs, SEED, measured=False), 0.3, 0.03)


@pytest.mark.parametrize("inputs", [600, pytest.param(60_000, marks=pytest.mark.soak)])
async def test_records(inputs: int) -> None:
    check(await run(Imports(SEED), inputs, SEED, measured=False), 0.4, 0.05)


@pytest.mark.parametrize("size", ["`", "9" * 201, "7" + " " * 200])
def test_a_size_that_cannot_be_read_is_not_called_a_move(size: str) -> None:
    for game in GAMES:
        with pytest.raises(BadSetup, match=f"is no size of {game.sheet.title}"):
            read_size(game, size)


class Planted:
    """Inputs of which every third is answered as this function answers it."""

    name = "planted"
    repeatable = False

    def __init__(self, answer: Callable[[], Verdict]) -> None:
        self._answer = answer

    def make(self, chance: Random) -> int:
        return chance.randrange(3)

    async def judge(self, given: int) -> Verdict:
        verdict = self._answer() if given == 0 else Verdict(True)
        check_sentence(verdict.sentence or "It is fine.")
        return verdict


def crash() -> Verdict:
    raise KeyError("c4")


def hang() -> Verdict:
    raise Hanging


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (crash, "KeyError in crash, test_fuzz.py"),
        (hang, "Hanging in hang, test_fuzz.py"),
        (lambda: Verdict(False, "Refused", "One sentence. Another."), "AssertionError in check_sentence"),
        (lambda: Verdict(False, "Refused", "Half a sentence"), "AssertionError in check_sentence"),
        (lambda: Verdict(False, "Refused", "A call to @everyone."), "AssertionError in check_sentence"),
    ],
)
async def test_what_is_neither_accepted_nor_refused_in_a_sentence_is_found(
    answer: Callable[[], Verdict], kind: str
) -> None:
    target: Target = Planted(answer)
    counts = await run(target, 30, "")
    ((found, (number, first)),) = counts.findings.items()
    assert found.startswith(kind)
    assert number == counts.failed == 30 - counts.accepted
    assert first.startswith("0\nTraceback")


def test_an_input_that_takes_for_ever_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.fuzz.campaign.HANGING", 0.01)
    with pytest.raises(Hanging), watched():
        while True:
            pass
