"""A sample of the faults is injected while games run: no move is lost, doubled or unseen, and members and operators see
what `tests.faults` says. `make soak` injects all faults; `python -m tests.faults` also writes the page."""

import os
from pathlib import Path

import pytest

from tests.contract.checker import Contract
from tests.db.postgres import MISSING
from tests.faults.stages import STAGES, TOGETHER, inject, stage
from tests.faults.tested_faults import DISCORD_RULES, START_FAULTS

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


def test_faults_on_the_page_have_tests() -> None:
    for fault in (*START_FAULTS, *DISCORD_RULES):
        file, name = fault.test.split("::")
        assert f"def {name}(" in (ROOT / file).read_text(encoding="utf-8"), fault.name
