"""Faults of Discord's gateway: lost, silent and refused connections, and events that come late or twice."""

import asyncio
from collections.abc import Callable

from bot.sandbox.gateway.gateway import Gateway
from bot.sandbox.world.events import Event, InteractionOpened
from tests.faults.catalogue import Injection, PlayedFault, Seen
from tests.faults.of_discord import FAILED_AND_NOT_DONE, LATE, LOST, REFUSED
from tests.faults.scene import Scene

RESUMED = ("has successfully RESUMED", "has connected to Gateway")
UNREACHABLE = Seen("The gateway cannot be reached")
CLOCKS = Seen("clocks.paused", 0)
"""A connection is seldom looked at while it is made again."""
ENDED = "nothing works until the bot is started again; its log ends with “Discord has closed the connection for good”"


def _resumed(fail: Callable[[Gateway], None]) -> Injection:
    async def inject(scene: Scene) -> None:
        fail(scene.local.services.gateway)
        await scene.bot.says(*RESUMED)
        await scene.write()
        await scene.shown()

    return inject


async def _session_lost(scene: Scene) -> None:
    """discord.py waits before it logs in again, and Discord sends nothing of what was pressed meanwhile."""
    scene.local.services.gateway.invalidate(resumable=False)
    await scene.pressed("failed")
    await scene.bot.says(*RESUMED)
    await scene.moved()


async def _played_while_resuming(scene: Scene) -> None:
    """Press while the connection is made again. Discord sends the press again, and it counts."""
    scene.local.services.gateway.drop()
    await scene.moved()


async def _unreachable(scene: Scene) -> None:
    """Nothing can be used for some seconds."""
    gateway = scene.local.services.gateway
    gateway.unavailable = True
    try:
        gateway.drop()
        await scene.says(UNREACHABLE.what)
        await scene.pressed("failed")
    finally:
        gateway.unavailable = False
    await scene.bot.says(*RESUMED)
    await scene.bot.says("interaction.lost")  # the press, which Discord sends again
    await scene.moved()


async def _silent(scene: Scene) -> None:
    """Neither events nor answers to heartbeats arrive, until discord.py gives the connection up after a minute."""
    scene.local.services.gateway.hold()
    await scene.pressed("failed")
    async with asyncio.timeout(150):
        while not any(words in scene.bot.log for words in RESUMED):
            await asyncio.sleep(0.5)
    await scene.bot.says("interaction.lost")  # the press of a minute ago, which Discord sends again
    await scene.moved()


async def _late(scene: Scene) -> None:
    """A press arrives after three seconds, when Discord takes no answer any more."""
    gateway = scene.local.services.gateway
    gateway.hold()
    try:
        await scene.pressed("failed")
    finally:
        gateway.release()
    await scene.bot.says("interaction.lost")
    await scene.moved()


def _twice(act: Callable[[Scene], object]) -> Injection:
    """Discord sends an interaction twice: it is done once, and its member is told nothing else."""

    async def inject(scene: Scene) -> None:
        repeated: list[Event] = []

        def repeat(event: Event) -> None:
            if isinstance(event, InteractionOpened) and not repeated:
                repeated.append(event)
                scene.local.world.publish(event)

        scene.local.world.listen(repeat)
        await act(scene)  # type: ignore[misc]
        await scene.shown()
        await scene.told_nothing()
        await scene.moved()

    return inject


def _refused(code: int, words: str) -> Injection:
    async def inject(scene: Scene) -> None:
        scene.local.services.gateway.close(code)
        assert await scene.bot.ended() == 2
        last = scene.bot.log.splitlines()[-1]
        assert last.startswith(f"Discord has closed the connection for good (code {code}): {words}")
        assert "Traceback" not in scene.bot.log
        await scene.restart()
        await scene.moved()

    return inject


async def _outage(scene: Scene) -> None:
    """Discord cannot reach the server for a while; what is used there nevertheless is answered."""
    scene.local.outage()
    await scene.write()
    scene.local.recover()
    await scene.shown()
    await scene.moved()


def _closing(code: int) -> PlayedFault:
    return PlayedFault(
        f"gateway: closed with {code}", _resumed(lambda it: it.close(code)), "nothing", (CLOCKS,)
    )


FAULTS = (
    *(_closing(code) for code in (1000, 1001, 4000, 4007, 4009)),
    PlayedFault("gateway: connection cut", _resumed(lambda it: it.drop()), "nothing", (CLOCKS,)),
    PlayedFault(
        "gateway: connection cut, and a button pressed at once",
        _played_while_resuming,
        "nothing",
        (CLOCKS,),
        sampled=True,
    ),
    PlayedFault("gateway: op 7", _resumed(lambda it: it.reconnect()), "nothing", (CLOCKS,)),
    PlayedFault(
        "gateway: op 9, resumable", _resumed(lambda it: it.invalidate(resumable=True)), "nothing", (CLOCKS,)
    ),
    PlayedFault(
        "gateway: op 9, not resumable",
        _session_lost,
        FAILED_AND_NOT_DONE,
        (CLOCKS,),
    ),
    PlayedFault(
        "gateway: cannot be reached for some seconds",
        _unreachable,
        FAILED_AND_NOT_DONE,
        (UNREACHABLE, CLOCKS, LOST),
        (REFUSED, LATE),
    ),
    PlayedFault(
        "gateway: silent, with no answer to heartbeats",
        _silent,
        f"for a minute: {FAILED_AND_NOT_DONE}",
        (LOST,),
        (REFUSED, LATE),
        once=True,
    ),
    PlayedFault(
        "gateway: an interaction 3 s late", _late, FAILED_AND_NOT_DONE, (LOST,), (REFUSED, LATE), sampled=True
    ),
    PlayedFault("gateway: a press sent twice", _twice(Scene.pressed), "nothing"),
    PlayedFault("gateway: a command sent twice", _twice(Scene.write), "nothing"),
    PlayedFault("gateway: outage of the server", _outage, "nothing"),
    PlayedFault(
        "gateway: closed with 4004, as the token was reset",
        _refused(4004, "the token was not accepted"),
        ENDED,
    ),
    PlayedFault(
        "gateway: closed with 4014, as intents were taken away",
        _refused(4014, "the intents are not allowed"),
        ENDED,
    ),
)
