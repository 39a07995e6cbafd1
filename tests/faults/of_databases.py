"""Faults that both databases have, and what members and operators see of a database that takes nothing."""

from sqlalchemy import text

from bot.ui.interactions.reply import NOT_STORED
from db.address import FILE_NAME, address
from db.engine import make_engine
from tests.e2e.bot_process import BotProcess
from tests.faults.catalogue import PlayedFault, Seen
from tests.faults.of_discord import FAILED
from tests.faults.scene import Scene

TOLD = f"“{NOT_STORED}”; the same press counts afterwards"
REFUSED_PRESS = Seen("database.failed", 1, 2)
"""The press after the fault can be a moment too early."""
ROUNDS = Seen("background_task.failed", 0, 30)
"""One line for each background task and kind of error."""
ERRORS = Seen("SQL errors:", 0, 999)
FAILED_ROUNDS = Seen("background failures:", 0, 99)
ITEMS = (Seen("item.failed", 0, 9), Seen("item.not_stored", 0, 99))
"""Items that a round could not process, and that could not be stored as failed."""
LINES = (REFUSED_PRESS, ROUNDS, *ITEMS)
COUNTED = (Seen(FAILED.what, 1, 2), FAILED_ROUNDS, ERRORS)


async def refused(scene: Scene) -> None:
    """A move is tried, and its player hears that nothing was stored."""
    await scene.press()
    await scene.told(NOT_STORED)


async def counts_now(scene: Scene) -> None:
    """The same press counts, now that the database is well, and the game goes on."""
    await scene.moved()
    await scene.moved()


async def _newer(scene: Scene) -> None:
    """A newer Pencilbox has changed the tables: the bot that runs goes on.

    On PostgreSQL another one does not start; on SQLite it waits until the first has ended.
    """
    engine = make_engine(address(scene.database or None, scene.folder))
    version = text("UPDATE alembic_version SET version_num = :version")
    try:
        async with engine.begin() as connection:
            before = await connection.scalar(text("SELECT version_num FROM alembic_version"))
            await connection.execute(version, {"version": "9999"})
        await scene.moved()
        await _start_another(scene)
        await scene.moved()
        async with engine.begin() as connection:
            await connection.execute(version, {"version": before})
    finally:
        await engine.dispose()


async def _start_another(scene: Scene) -> None:
    """Start another bot on the same database, which serves nothing."""
    url = scene.database or f"sqlite:///{scene.folder / FILE_NAME}"
    bot = BotProcess.fork(scene.folder / "other", PENCILBOX_LOCAL_URL=scene.local.url, DATABASE_URL=url)
    if scene.database:
        assert await bot.ended() == 2
        assert "is at version 9999, which this Pencilbox does not know" in bot.log.splitlines()[-1]
    else:
        await bot.says("database.locked_by_another_process")
        await bot.kill()


def newer_schema(database: str) -> PlayedFault:
    """The fault on one of the databases."""
    another = "waits until this one has ended" if database == "SQLite" else "does not start"
    members = f"nothing; another Pencilbox of this version {another}"
    return PlayedFault(f"{database}: a newer Pencilbox has changed the tables", _newer, members)
