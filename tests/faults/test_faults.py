"""A sample of the faults is injected while games run: no move is lost, doubled or unseen, and members and operators see
what `tests.faults` says. `make soak` injects all faults; `python -m tests.faults` also writes the page."""

import os
import re
from pathlib import Path

import pytest

from tests.contract.checker import Contract
from tests.db.postgres import MISSING
from tests.faults.__main__ import PAGE
from tests.faults.stages import STAGES, TOGETHER, inject, stage

ROOT = Path(__file__).parents[2]


async def _inject(name: str, contract: Contract, folder: Path, *, sample: bool) -> None:
    async with stage(name, contract, folder, lambda it: it.sampled or not sample) as set_up:
        if set_up is None:
            assert not os.environ.get("CI"), MISSING
            pytest.skip(MISSING)  # PostgreSQL cannot be installed without the system's rights
        scene, faults = set_up
        harmed = {it.name: report.counts for it in faults if (report := await inject(scene, it)).counts.harm}
        assert harmed == {}


async def test_games_go_on_whatever_fails(contract: Contract, tmp_path: Path) -> None:
    """On SQLite. `tests/db/database` and `tests/e2e/process` lose PostgreSQL in other ways."""
    await _inject(TOGETHER, contract, tmp_path, sample=True)


@pytest.mark.soak
@pytest.mark.parametrize("name", STAGES)
async def test_games_go_on_after_every_fault(contract: Contract, tmp_path: Path, name: str) -> None:
    await _inject(name, contract, tmp_path, sample=False)


def test_faults_on_the_page_have_tests() -> None:
    named = re.findall(r"`(tests/[a-z_/]+[.]py)::(\w+)`", PAGE.read_text(encoding="utf-8"))
    assert named
    for file, name in named:
        assert f"def {name}(" in (ROOT / file).read_text(encoding="utf-8"), name
