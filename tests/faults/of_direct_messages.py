"""Faults of direct messages, by which a player wants to be told of their turns."""

from datetime import UTC, datetime, timedelta

from bot.sandbox import Fault
from db.engine import open_store
from db.values.posts import OpeningPace
from tests.contract.player import Player
from tests.e2e.messages import choose, direct, message_with, open_preferences, text_of
from tests.faults.catalogue import Injection, PlayedFault, Seen
from tests.faults.of_discord import REFUSED
from tests.faults.scene import Scene

OPENING = ("POST", "/users/@me/channels")
NOT_SENT = "I could not send you a direct message, so I mention you here."
CLOSED = "Your direct messages are closed to me, so I mention you here."
PAUSED = Seen("direct_messages.paused")


async def _begin_again(scene: Scene) -> Player:
    """Restart the bot, as if its pauses were over. Return the player who waits, who now wants direct messages."""
    await scene.bot.kill()
    long_ago = datetime.now(UTC) - timedelta(days=1)
    async with open_store(scene.database or None, scene.folder) as store:
        await store.direct_messages.change_pace(lambda _: OpeningPace(long_ago, long_ago))
    await scene.restart()
    waiter = scene.grace if scene.mover is scene.ada else scene.ada
    await choose(waiter, await open_preferences(waiter), "prefer:notice", "direct")
    return waiter


async def _end(scene: Scene, waiter: Player) -> None:
    await choose(waiter, await open_preferences(waiter), "prefer:notice", "ping")
    await scene.moved()


def _mentioned(fault: Fault, words: str) -> Injection:
    """The player is mentioned in the channel instead."""

    async def inject(scene: Scene) -> None:
        waiter = await _begin_again(scene)
        scene.local.faults.plan(*OPENING, fault)
        await scene.write()
        await scene.shown()
        said = await message_with(waiter, f"#{scene.board.match}**. ")
        assert words in text_of(said)
        await scene.struck()
        await _end(scene, waiter)

    return inject


async def _delayed(scene: Scene) -> None:
    """The message waits; the player is told nothing meanwhile."""
    waiter = await _begin_again(scene)
    before = await direct(waiter)
    scene.local.faults.plan(*OPENING, Fault.OPENING_TOO_FAST)
    await scene.write()
    await scene.shown()
    await scene.bot.says("direct_messages.paused")
    assert await direct(waiter) == before
    new = (it for it in await waiter.messages() if it["id"] not in scene.known)
    assert not any("so I mention you here" in text_of(it) for it in new)
    await _end(scene, waiter)


FAULTS = (
    PlayedFault(
        "direct message: closed (50007)",
        _mentioned(Fault.CLOSED, CLOSED),
        f"“{CLOSED}”",
        (),
        (REFUSED, Seen("direct messages: closed")),
    ),
    PlayedFault(
        "direct message: no shared server (50278)",
        _mentioned(Fault.NO_SHARED_SERVER, NOT_SENT),
        f"“{NOT_SENT}”",
        (),
        (REFUSED, Seen("direct messages: no shared server")),
    ),
    PlayedFault(
        "direct message: opening too fast (40003)",
        _delayed,
        "the direct message comes five minutes later, unless it is outdated by then",
        (PAUSED,),
        (REFUSED, Seen("direct messages: too fast")),
    ),
    PlayedFault(
        "direct message: quarantined (20026)",
        _mentioned(Fault.QUARANTINED, NOT_SENT),
        f"“{NOT_SENT}”; the same for the next six hours without asking Discord",
        (PAUSED,),
        (REFUSED, Seen("direct messages: quarantined")),
    ),
)
