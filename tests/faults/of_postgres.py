"""Faults of a PostgreSQL server while the bot runs."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg

from bot.ui.interactions.reply import NOT_STORED
from tests.db.postgres import Cluster
from tests.e2e.messages import answered, menus, text_of
from tests.faults.catalogue import Injection, PlayedFault, Seen
from tests.faults.of_databases import (
    COUNTED,
    ERRORS,
    FAILED_ROUNDS,
    ITEMS,
    LINES,
    ROUNDS,
    TOLD,
    counts_now,
    newer_schema,
    refused,
)
from tests.faults.scene import Scene
from tests.waiting import PATIENCE, wait_until

LOST = Seen("shard_connection.lost", 0, 3)
SILENT = Seen("database.connections_cut")
CUT_LINES = (LOST, ROUNDS, *ITEMS, Seen("database.failed", 0))
CUT_COUNTED = (Seen("interactions: failed", 0), FAILED_ROUNDS, ERRORS)
LOST_LINES = (*LINES, LOST)
STOPPED_LINES = (
    Seen("database.failed", 3, 6),
    Seen("autocomplete.failed"),
    ROUNDS,
    *ITEMS,
    LOST,
)
STOPPED_COUNTED = (Seen("interactions: failed", 3, 6), FAILED_ROUNDS, ERRORS)
OTHERS = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"


class PostgresFaults:
    """The faults of one server."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self.faults = (
            PlayedFault("PostgreSQL: the moves locked for 10 s", self._locked(10), TOLD, LINES, COUNTED),
            PlayedFault(
                "PostgreSQL: the moves locked for 60 s",
                self._locked(60),
                TOLD,
                LINES,
                COUNTED,
                once=True,
            ),
            PlayedFault(
                "PostgreSQL: all connections cut",
                self._cut,
                "nothing",
                CUT_LINES,
                CUT_COUNTED,
            ),
            PlayedFault("PostgreSQL: read-only", self._read_only, TOLD, LOST_LINES, COUNTED),
            PlayedFault(
                "PostgreSQL: stopped",
                self._stopped,
                f"{TOLD}; no suggestions",
                STOPPED_LINES,
                STOPPED_COUNTED,
            ),
            PlayedFault(
                "PostgreSQL: the process of a connection killed",
                self._connection_killed,
                "nothing",
                CUT_LINES,
                CUT_COUNTED,
            ),
            PlayedFault(
                "PostgreSQL: all processes killed",
                self._killed,
                TOLD,
                LOST_LINES,
                COUNTED,
            ),
            PlayedFault("PostgreSQL: hangs", self._hanging, TOLD, (*LOST_LINES, SILENT), COUNTED),
            newer_schema("PostgreSQL"),
        )

    def _locked(self, seconds: float) -> Injection:
        async def inject(scene: Scene) -> None:
            async with _operator(scene) as operator:
                until = asyncio.get_running_loop().time() + seconds
                transaction = operator.transaction()
                await transaction.start()
                await operator.execute("LOCK TABLE plies IN ACCESS EXCLUSIVE MODE")
                await refused(scene)
                await asyncio.sleep(until - asyncio.get_running_loop().time())
                await transaction.rollback()
            await counts_now(scene)

        return inject

    async def _cut(self, scene: Scene) -> None:
        async with _operator(scene) as operator:
            await operator.fetch(f"SELECT pg_terminate_backend(pid) {OTHERS}")
        await scene.press()
        await scene.shown()
        await counts_now(scene)

    async def _read_only(self, scene: Scene) -> None:
        async with _operator(scene) as operator:
            name = await operator.fetchval("SELECT current_database()")
            await operator.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
            await operator.fetch(f"SELECT pg_terminate_backend(pid) {OTHERS}")
            try:
                await refused(scene)
            finally:
                await operator.execute("SET default_transaction_read_only = off")
                await operator.execute(f"ALTER DATABASE {name} RESET default_transaction_read_only")
                await operator.fetch(f"SELECT pg_terminate_backend(pid) {OTHERS}")
        await counts_now(scene)

    async def _stopped(self, scene: Scene) -> None:
        """Whatever a member uses, they are told the same."""
        chosen = await answered(scene.mover, "preferences")
        await asyncio.to_thread(self._cluster.stop, "immediate")
        try:
            await refused(scene)
            assert text_of(await answered(scene.mover, "games")).strip() == NOT_STORED
            suggested = await scene.mover.autocomplete("move", "move", move="", number=scene.board.match)
            assert suggested["choices"] == []
            await scene.note()
            await scene.mover.press(scene.board.message, scene.board.buttons["Type a move"])
            await scene.told(NOT_STORED)
            await scene.note()
            await scene.mover.choose(chosen, next(it for it in menus(chosen) if "notice" in it), "none")
            await scene.told(NOT_STORED)
        finally:
            await asyncio.to_thread(self._cluster.start)
        await counts_now(scene)

    async def _connection_killed(self, scene: Scene) -> None:
        """The server then ends all others, since the memory that they share may be damaged."""
        async with _operator(scene) as operator:
            os.kill(await operator.fetchval(f"SELECT pid {OTHERS} LIMIT 1"), signal.SIGKILL)
            await wait_until(lambda: operator.is_closed())
        await self._up(scene)
        await scene.moved()
        await counts_now(scene)

    async def _killed(self, scene: Scene) -> None:
        self._cluster.kill()
        try:
            await refused(scene)
        finally:
            await asyncio.to_thread(self._cluster.start)
        await counts_now(scene)

    async def _up(self, scene: Scene) -> None:
        """Wait until the server takes connections again."""
        async with asyncio.timeout(PATIENCE):
            while True:
                try:
                    async with _operator(scene):
                        return
                except (asyncpg.PostgresError, OSError):
                    await asyncio.sleep(0.05)

    async def _hanging(self, scene: Scene) -> None:
        with self._cluster.paused():
            await refused(scene)
            await scene.says(SILENT.what)
        await counts_now(scene)


@asynccontextmanager
async def _operator(scene: Scene) -> AsyncIterator[asyncpg.Connection]:
    connection = await asyncpg.connect(scene.database)
    try:
        yield connection
    finally:
        await connection.close()
