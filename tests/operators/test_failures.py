"""`python -m bot failures` lists what background tasks could not process, and has it retried."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.operators import failures
from db.engine import open_store
from db.values.failures import FailedItem

NOW = datetime.now(UTC)
SINCE = datetime(2026, 11, 20, 8, 30, tzinfo=UTC)
FAILED = (
    FailedItem("boards", "17", "ValueError at bot/client.py:7", 3, SINCE, NOW + timedelta(days=10)),
    FailedItem("boards", "18", "ValueError at bot/client.py:7", 1, SINCE, NOW - timedelta(minutes=1)),
    FailedItem("clocks", "19", "Illegal at rules/core/match.py:90", 30, SINCE, None),
)
Run = Callable[..., tuple[int, str]]


@pytest.fixture
def failures_run(
    store_url: str,
    tmp_path: Path,
    own_database: None,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Run:
    """Run the command on a database in which items have failed. Return its exit status and what it printed."""

    async def fail() -> None:
        async with open_store(store_url, tmp_path) as store:
            for failed in FAILED:
                await store.failed_items.keep(failed)

    def run(*arguments: str) -> tuple[int, str]:
        monkeypatch.setattr("sys.argv", ["failures", *arguments])
        status = failures.main()
        said = capsys.readouterr()
        return status, said.out + said.err

    monkeypatch.setenv("PENCILBOX_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("DATABASE_URL", store_url)
    asyncio.run(fail())
    return run


def listed(said: str) -> list[str]:
    return [line.partition(":")[0] for line in said.splitlines()]


def test_failures_are_listed(failures_run: Run) -> None:
    status, said = failures_run()
    first, second, third = said.splitlines()
    assert status == 0
    begun = "boards 17: ValueError at bot/client.py:7, 3 times since 2026-11-20 08:30 UTC, retried in "
    assert 860_000 < int(first.removeprefix(begun).removesuffix(" s")) <= 864_000
    assert second.endswith("1 times since 2026-11-20 08:30 UTC, retried in 0 s")
    assert third == (
        "clocks 19: Illegal at rules/core/match.py:90, 30 times since 2026-11-20 08:30 UTC, set aside"
    )


def test_failures_are_retried(failures_run: Run) -> None:
    for retried, count, left in (
        (("boards", "19"), 0, ["boards 17", "boards 18", "clocks 19"]),
        (("clocks", "19"), 1, ["boards 17", "boards 18"]),
        (("boards",), 2, ["Nothing has failed."]),
    ):
        assert failures_run("--retry", *retried) == (0, f"Items to be retried: {count}.\n")
        assert listed(failures_run()[1]) == left


def test_all_failures_are_retried(failures_run: Run) -> None:
    assert failures_run("--retry") == (0, "Items to be retried: 3.\n")
    assert listed(failures_run()[1]) == ["Nothing has failed."]


def test_too_many_names_are_refused(failures_run: Run) -> None:
    status, said = failures_run("--retry", "boards", "17", "18")
    assert (status, said) == (2, "--retry takes a task and one item of it at most.\n")
    assert len(listed(failures_run()[1])) == len(FAILED)


def test_missing_database_is_not_created(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PENCILBOX_DATA_DIR", str(tmp_path / "none"))
    monkeypatch.setenv("DATABASE_URL", "")
    monkeypatch.setattr("sys.argv", ["failures", "--retry"])
    assert failures.main() == 2
    assert capsys.readouterr().err.startswith("There is no database ")
    assert not (tmp_path / "none").exists()
