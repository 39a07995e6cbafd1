"""Faults of a PostgreSQL server while the bot runs."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import asyncpg

from bot.ui.kit.answers.reply import NOT_STORED
from tests.db.postgres import Cluster
from tests.e2e.messages import answered, menus, text_of
from tests.faults.catalogue import PlayedFault
from tests.faults.of_sqlite import LOGGED, TOLD, counts_now, refused
from tests.faults.scene import Scene

OTHERS = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"


class PostgresFaults:
    """The faults of one server."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self.faults = (
            PlayedFault("PostgreSQL: the moves locked for 10 s", self._locked(10), TOLD, LOGGED),
            PlayedFault("PostgreSQL: the moves locked for 60 s", self._locked(60), TOLD, LOGGED, long=True),
            PlayedFault("PostgreSQL: all connections cut", self._cut, "nothing, or that sentence", "nothing"),
            PlayedFault("PostgreSQL: read-only", self._read_only, TOLD, LOGGED),
            PlayedFault("PostgreSQL: stopped", self._stopped, f"{TOLD}; no suggestions", LOGGED),
            PlayedFault(
                "PostgreSQL: hangs",
                self._hanging,
                TOLD,
                "`the database gives no sign of life; connections cut`",
            ),
        )

    def _locked(self, seconds: float) -> Callable[[Scene], Awaitable[None]]:
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
        self._cluster.stop("immediate")
        try:
            await refused(scene)
            assert text_of(await answered(scene.mover, "games")).strip() == NOT_STORED
            suggested = await scene.mover.autocomplete("move", "move", move="", game=scene.board.match)
            assert suggested["choices"] == []
            await scene.note()
            await scene.mover.press(scene.board.message, scene.board.buttons["Type a move"])
            await scene.told(NOT_STORED)
            await scene.note()
            await scene.mover.choose(chosen, next(it for it in menus(chosen) if "notice" in it), "none")
            await scene.told(NOT_STORED)
        finally:
            self._cluster.start()
        await counts_now(scene)

    async def _hanging(self, scene: Scene) -> None:
        with self._cluster.paused():
            await refused(scene)
            await scene.bot.says("no sign of life")
        await counts_now(scene)


@asynccontextmanager
async def _operator(scene: Scene) -> AsyncIterator[asyncpg.Connection]:
    connection = await asyncpg.connect(scene.database)
    try:
        yield connection
    finally:
        await connection.close()
