"""`python -m bot check` says nothing of a database that members have played in, and names each planted damage."""

import json
import sqlite3
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from bot.operators import checked_matches
from bot.operators.check import Progress, check
from bot.startup.command_line import run_command
from db.address import address
from db.engine import make_engine
from db.inspection import Finding
from tests.app.conftest import DrivenClock
from tests.db.migrated import lay

DAMAGE: Sequence[tuple[str, str]] = (
    (
        "UPDATE seats SET outcome = CASE outcome WHEN 'won' THEN 'lost' ELSE 'won' END WHERE match_id = 1",
        "match 1: its result is stored as",
    ),
    ("DELETE FROM plies WHERE match_id = 2 AND ply = 1", "match 2: it counts"),
    ("UPDATE matches SET finished_at = NULL WHERE id = 3", "match 3: its seats say another time"),
    ("UPDATE rated_seats SET rank = 3 - rank WHERE match_id = 4", "match 4: it is rated with the ranks"),
    (
        "INSERT INTO awards SELECT 5, user_id, 'tenacity', finished_at FROM seats WHERE match_id = 5",
        "match 5: member 101 has not earned the achievement tenacity",
    ),
    (
        "INSERT INTO awards SELECT 6, 999, 'tenacity', finished_at FROM matches WHERE id = 6",
        "match 6: it has given an achievement to somebody who did not play it",
    ),
    ("UPDATE matches SET rated = false WHERE id = 7", "match 7: it has changed ratings, which it must not"),
    (
        "UPDATE plies SET text = 'a secret' WHERE match_id = 8 AND ply = 1",
        "match 8: its record cannot be replayed (Unreadable)",
    ),
    ("UPDATE matches SET turns = replace(turns, '[[', '[[1') WHERE id = 9", "match 9: the stored turns"),
    (
        "UPDATE ratings SET mu = mu + 1 WHERE user_id = 103 AND game = 'maze' AND guild = 1 AND period = ''",
        "rating of member 103 in maze, all time, in server 1: it is not what the games give",
    ),
    (
        "DELETE FROM ratings WHERE user_id = 103 AND game = 'cocomposite' AND guild = 1 AND period = ''",
        "rating of member 103 in cocomposite, all time, in server 1: it is missing",
    ),
    (
        "UPDATE tallies SET members = members + 1 WHERE game = 'maze' AND guild = 0 AND period = ''",
        "leaderboard in maze, all time, everywhere: its numbers",
    ),
    ("DELETE FROM participants WHERE challenge_id = 1", "challenge 1: nobody takes part"),
)


async def findings(url: str, folder: Path, processes: int) -> str:
    """Return the findings of the check, a line each."""
    found: list[Finding] = []
    checked = await check(url, folder, found.append, DrivenClock().now(), processes=processes)
    assert checked.matches == 9
    assert checked.findings == len(found)
    return "".join(f"{finding}\n" for finding in found)


@pytest.mark.parametrize("processes", [1, pytest.param(2, marks=pytest.mark.soak)])
async def test_each_damage_is_named_and_nothing_else_by_any_number_of_processes(
    played_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, processes: int
) -> None:
    monkeypatch.setattr(checked_matches, "RANGE", 5)
    assert await findings(played_url, tmp_path, processes) == ""
    engine = make_engine(address(played_url, tmp_path), foreign_keys=False)
    async with engine.begin() as connection:
        for damage, _ in DAMAGE:
            assert (await connection.execute(text(damage))).rowcount, damage
        if connection.dialect.name == "sqlite":  # PostgreSQL would not let that in
            await connection.execute(text("DELETE FROM challenges WHERE id = 2"))
    await engine.dispose()
    said = await findings(played_url, tmp_path, processes)
    for _, words in DAMAGE:
        assert words in said
    assert ("table participants" in said) == played_url.startswith("sqlite")
    assert "secret" not in said


def test_the_progress_is_said_every_few_seconds(capsys: pytest.CaptureFixture[str]) -> None:
    times = iter((0.0, 4.0, 11.0, 11.0, 15.0))
    progress = Progress(lambda: next(times))
    for done in (2000, 4000, 6000):
        progress(done, 100_000)
    assert capsys.readouterr().err == "4000 of 100000 games checked\n"


def test_a_damaged_file_is_a_finding_and_no_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The lines for people end with a sum, those for programs are JSON; the exit status tells the difference."""
    monkeypatch.setattr(sys, "argv", ["bot"])
    monkeypatch.setenv("PENCILBOX_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("DATABASE_URL", "")
    assert run_command(["check"]) == 2
    assert capsys.readouterr().err.startswith(f"There is no database {tmp_path}")
    file = lay(tmp_path)
    assert run_command(["check"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("0 games checked in ")
    assert said.endswith(" s: all is well.\n")
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("INSERT INTO tallies VALUES (1, '', '', 1000, 1, 0, 0)")
        connection.commit()
    assert run_command(["check", "--json"]) == 1
    first, last = map(json.loads, capsys.readouterr().out.splitlines())
    assert first["about"] == "leaderboard in all games, all time, in server 1"
    assert last["findings"] == 1
    assert run_command(["check", "--fast"]) == 2
    assert "unrecognized arguments: --fast" in capsys.readouterr().err
