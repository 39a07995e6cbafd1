"""Faults of an SQLite file while the bot runs."""

import asyncio
import resource
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from bot.sandbox import Fault
from bot.ui.interactions.reply import MAYBE_STORED
from db.address import FILE_NAME
from tests.faults.catalogue import Injection, PlayedFault, Seen
from tests.faults.of_databases import COUNTED, LINES, TOLD, counts_now, newer_schema, refused
from tests.faults.of_discord import BOARD
from tests.faults.scene import Scene


def _locked(seconds: float) -> Injection:
    async def inject(scene: Scene) -> None:
        with _lock(scene):
            until = asyncio.get_running_loop().time() + seconds
            await refused(scene)
            await asyncio.sleep(until - asyncio.get_running_loop().time())
        await counts_now(scene)

    return inject


async def _locked_after_the_board(scene: Scene) -> None:
    """Discord has the new board, and the database does not learn by which message it is shown."""
    scene.local.faults.plan(*BOARD, Fault.LATE, seconds=2.0)
    player = scene.mover
    await scene.press()
    await scene.shown()
    with _lock(scene):
        await scene.told(MAYBE_STORED, player)
    scene.local.faults.clear()
    # A press on that board would tell the bot of it.
    await scene.write()
    await scene.shown()


@contextmanager
def _lock(scene: Scene) -> Iterator[None]:
    other = sqlite3.connect(scene.folder / FILE_NAME, isolation_level=None, timeout=30)
    other.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        other.execute("ROLLBACK")
        other.close()


async def _full(scene: Scene) -> None:
    with _no_room(scene.bot.pid):
        await refused(scene)
    await counts_now(scene)


async def _read_only(scene: Scene) -> None:
    """`tests.faults.read_only_bot` says how."""
    scene.read_only.touch()
    try:
        await refused(scene)
    finally:
        scene.read_only.unlink()
    await counts_now(scene)


@contextmanager
def _no_room(pid: int) -> Iterator[None]:
    """Let a process write no further byte into any file, also into its log."""
    before = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (1, before[1]))
    try:
        yield
    finally:
        resource.prlimit(pid, resource.RLIMIT_FSIZE, before)


FAULTS = (
    PlayedFault("SQLite: locked for 10 s by another program", _locked(10), TOLD, LINES, COUNTED),
    PlayedFault("SQLite: locked for 60 s by another program", _locked(60), TOLD, LINES, COUNTED, once=True),
    PlayedFault(
        "SQLite: locked when a board was just posted",
        _locked_after_the_board,
        f"“{MAYBE_STORED}”; the move counts",
        LINES,
        COUNTED,
    ),
    # The log takes nothing either; it says with its next line, perhaps under the next fault, how many are missing.
    PlayedFault(
        "SQLite: the disk takes nothing more",
        _full,
        TOLD,
        (Seen("log.lines_lost", 0, 2),),
        COUNTED,
        sampled=True,
    ),
    PlayedFault(
        "SQLite: the file is read-only",
        _read_only,
        TOLD,
        (*LINES, Seen("log.lines_lost", 0)),
        COUNTED,
    ),
    newer_schema("SQLite"),
)
