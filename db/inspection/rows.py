"""Rows that refer to nothing or contradict others, and the check that each database has of its own files."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from db.inspection.finding import PROVE, RERATE, RESTORE, Finding
from db.inspection.recount import board_name
from db.values.standings import Leaderboard


@dataclass(frozen=True, slots=True)
class RowCheck:
    """A query for the ids of rows that should not be, and the finding for each."""

    query: str
    about: str
    wrong: str
    remedy: str


ROW_CHECKS = (
    RowCheck(
        "SELECT DISTINCT a.match_id FROM awards a LEFT JOIN seats s"
        " ON s.match_id = a.match_id AND s.user_id = a.user_id WHERE s.seat IS NULL",
        "match",
        "it has given an achievement to somebody who did not play it",
        PROVE,
    ),
    RowCheck(
        "SELECT id FROM matches WHERE finished_at IS NULL"
        " AND EXISTS (SELECT 1 FROM rated WHERE rated.match_id = matches.id)",
        "match",
        "it goes on, and has changed ratings already",
        RERATE,
    ),
    RowCheck(
        "SELECT c.id FROM challenges c LEFT JOIN participants p ON p.challenge_id = c.id"
        " WHERE p.challenge_id IS NULL",
        "challenge",
        "nobody takes part in it",
        RESTORE,
    ),
)

_TALLIES = """
SELECT DISTINCT period, game, guild FROM (
    SELECT period, game, guild, score FROM (
        SELECT period, game, guild, score, members FROM tallies
        UNION ALL
        SELECT period, game, guild, score, -count(*) FROM ratings WHERE listed
        GROUP BY period, game, guild, score
    ) AS together
    GROUP BY period, game, guild, score HAVING sum(members) <> 0
) AS wrong ORDER BY guild, period, game
"""

_BROKEN_INDEXES = """
SELECT relname FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
JOIN pg_namespace ON pg_namespace.oid = relnamespace
WHERE nspname = current_schema() AND NOT indisvalid ORDER BY relname
"""


async def check_rows(session: AsyncSession) -> AsyncIterator[Finding]:
    """Yield rows that refer to nothing, and leaderboards whose numbers of members do not fit their ratings."""
    for check in ROW_CHECKS:
        for (number,) in await session.execute(text(f"{check.query} ORDER BY 1")):
            yield Finding(f"{check.about} {number}", check.wrong, check.remedy)
    for period, game, guild in await session.execute(text(_TALLIES)):
        where = board_name(Leaderboard(period, game, guild))
        yield Finding(f"leaderboard {where}", "its numbers of members by score are wrong", RERATE)


async def check_database(session: AsyncSession) -> AsyncIterator[Finding]:
    """Yield what the database itself finds wrong with its files. On SQLite every page of the file is read."""
    if session.get_bind().dialect.name == "postgresql":
        # Foreign keys are always enforced there, and pages are checked when they are read if the server was made so.
        for (name,) in await session.execute(text(_BROKEN_INDEXES)):
            yield Finding(f"index {name}", "it is not valid", f"run REINDEX INDEX {name} on the server")
        return
    for (said,) in await session.execute(text("PRAGMA integrity_check")):
        if said != "ok":
            yield Finding("database file", str(said).replace("\n", " "), RESTORE)
    for table, row, parent, _ in await session.execute(text("PRAGMA foreign_key_check")):
        yield Finding(
            f"table {table}, row {row}", f"it refers to a row of {parent} that is not there", RESTORE
        )
