"""A sample of the faults is injected while games run: no move is lost, doubled or unseen, and members and operators see
what `tests.faults` says. `make soak` injects all faults; `python -m tests.faults` also writes the page."""

import os
from collections import Counter
from pathlib import Path

import pytest

from tests.contract.checker import Contract
from tests.db.postgres import MISSING
from tests.faults.catalogue import PlayedFault, Seen
from tests.faults.page import page
from tests.faults.scene import Counts
from tests.faults.stages import STAGES, TOGETHER, Report, inject, only, stage
from tests.faults.start_faults import START_FAULTS

ROOT = Path(__file__).parents[2]


async def _inject(name: str, contract: Contract, folder: Path, *, sample: bool) -> None:
    async with stage(name, contract, folder, lambda it: it.sampled or not sample) as set_up:
        if set_up is None:
            assert not os.environ.get("CI"), MISSING
            pytest.skip(MISSING)  # PostgreSQL cannot be installed without the system's rights
        scene, faults = set_up
        harmed = {it.name: report.counts for it in faults if (report := await inject(scene, it)).counts.harm}
        assert harmed == {}


@pytest.mark.parametrize("name", [TOGETHER, "postgresql"])
async def test_games_go_on_whatever_fails(contract: Contract, tmp_path: Path, name: str) -> None:
    await _inject(name, contract, tmp_path, sample=True)


@pytest.mark.soak
@pytest.mark.parametrize("name", STAGES)
async def test_games_go_on_after_every_fault(contract: Contract, tmp_path: Path, name: str) -> None:
    await _inject(name, contract, tmp_path, sample=False)


@pytest.mark.parametrize("test", [fault.test for fault in START_FAULTS])
def test_faults_at_a_start_have_tests(test: str) -> None:
    file, name = test.split("::")
    assert f"def {name}(" in (ROOT / file).read_text(encoding="utf-8")


def test_what_is_not_expected_is_noticed() -> None:
    expected = [Seen("lost"), Seen("late", 0, 2)]
    assert only(expected, Counter({"lost in a storm": 1})) == {"lost": 1, "late": 0}
    for found in ({}, {"lost": 2}, {"lost": 1, "late": 3}, {"lost": 1, "broken": 1}):
        with pytest.raises(AssertionError, match="Seen:"):
            only(expected, Counter(found))


def test_the_page_tells_what_was_measured() -> None:
    async def nothing(_: object) -> None: ...

    fault = PlayedFault("a storm", nothing, "rain")
    report = Report(Counts(2, 4, 0, 0, 1), [Counter(wet=1), Counter(wet=3)], [Counter(), Counter()])
    written = page({fault: report})
    assert "| a storm | rain | `wet` 1 to 3 | none | 2 | 4 | 0 | 0 | 1 |" in written
    assert "2 injections of 1 faults, 4 moves: 0 lost, 0 doubled, 1 unseen." in written
