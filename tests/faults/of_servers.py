"""Changes by moderators to the bot's messages, channels and permissions while a game runs in their server."""

from collections.abc import Awaitable, Callable
from functools import partial

from bot.sandbox.json_types import Object
from bot.sandbox.world.events import ChannelGone, ChannelMade
from tests.e2e.messages import choose, open_settings
from tests.e2e.panels import board_in, called
from tests.e2e.play import ask, press_accept
from tests.faults.catalogue import Injection, PlayedFault, Seen
from tests.faults.of_discord import REFUSED, RETRIED
from tests.faults.scene import SIZE, Scene

MISSING = Seen("permission.missing", 0)
"""The same channel is reported once a day."""
GONE = "the channel of this game no longer exists, so I cannot post its board."


async def _board_deleted(scene: Scene) -> None:
    world = scene.local.world
    scene.local.services.messages.remove(world.message(scene.ada.channel, scene.board.message["id"]))
    await scene.write()
    await scene.shown()
    await scene.moved()


def _denied(permission: str, name: str) -> Injection:
    """A move counts, its player hears what is missing, and the board comes with the permission."""

    async def inject(scene: Scene) -> None:
        await scene.bury()
        scene.local.deny("general", permission)
        try:
            await scene.write()
            await scene.told(f"I may not post in <#{scene.ada.channel}>: I lack {name}.")
        finally:
            scene.local.allow("general", permission)
        await scene.shown()
        await scene.moved()

    return inject


async def _begin_in(scene: Scene, channel: str) -> None:
    """Play another game in this channel or thread instead."""
    await scene.end()
    await scene.begin_with(scene.ada.elsewhere(channel), scene.grace.elsewhere(channel))


def _remove(scene: Scene, channel: Object) -> None:
    scene.local.world.remove_channel(channel)
    scene.local.world.publish(ChannelGone(channel))


async def _channel_deleted(scene: Scene) -> None:
    world = scene.local.world
    channel = {**scene.local.channel("lounge"), "id": world.new_id(), "name": "den"}
    world.put_channel(channel)
    world.publish(ChannelMade(channel))
    await _begin_in(scene, channel["id"])
    _remove(scene, channel)
    await scene.write()
    await scene.told(GONE)
    scene.played.append(scene.next_move)
    scene.nowhere = True


async def _in_own_thread(scene: Scene, fail: Callable[[Object], Awaitable[None]]) -> None:
    """Play in a thread of its own, in which `fail` does something before the second move."""
    world = scene.local.world
    await scene.end()
    await _choose_threads(scene, "threads")
    try:
        known = set(world.channels)
        asked = await ask(scene.ada, [scene.grace], "alaric", str(SIZE))
        await press_accept(scene.grace, asked["id"])

        async def opened() -> str | None:
            return next((id_ for id_ in world.channels if id_ not in known), None)

        thread = await scene.ada.until(opened)
        scene.boards, scene.played = [await board_in(scene.ada, thread, 0)], []
        await fail(world.channels[thread])
    finally:
        await _choose_threads(scene, "channel")
    await scene.moved()


async def _thread_deleted(scene: Scene) -> None:
    """The game goes on in the channel of the thread."""

    async def fail(thread: Object) -> None:
        _remove(scene, thread)
        await scene.write()
        await scene.shown()

    await _in_own_thread(scene, fail)


async def _thread_closed(scene: Scene, archived: bool, locked: bool) -> None:
    """The game goes on in its thread. In the end that is deleted, so that `count` finds the game in the channel."""

    async def fail(thread: Object) -> None:
        state = {"archived": archived, "locked": locked}
        await scene.ada.post("thread-state", channel=thread["id"], **state)
        await scene.write()
        if locked:
            await scene.told(f"I may not post in <#{thread['id']}>: this thread is locked")
            await scene.ada.post("thread-state", channel=thread["id"], locked=False)
        scene.played.append(scene.next_move)
        scene.boards.append(await board_in(scene.ada, thread["id"], 1))
        if locked:
            await called(scene.ada.elsewhere(thread["id"]), scene.board)
        _remove(scene, thread)
        await scene.write()
        await scene.shown()

    await _in_own_thread(scene, fail)


async def _choose_threads(scene: Scene, place: str) -> None:
    await choose(scene.ada, await open_settings(scene.ada), "setting:threads", place)


async def _kicked(scene: Scene) -> None:
    scene.local.remove_bot()
    scene.local.add_bot()
    await scene.moved()


TWICE_REFUSED = Seen("requests: refused", 1, 2)
THREE_REFUSED = Seen("requests: refused", 1, 3)
LACKS = (
    "“What you did counts, but I may not post in #general: I lack {}.”; the board comes with the permission"
)

FAULTS = (
    PlayedFault(
        "moderators: a board deleted",
        _board_deleted,
        "the next move brings a new board",
        counted=(TWICE_REFUSED,),
    ),
    *(
        PlayedFault(
            f"moderators: {name} taken away",
            _denied(permission, name),
            LACKS.format(name),
            (MISSING, RETRIED),
            (REFUSED,),
        )
        for permission, name in (
            ("send_messages", "Send Messages"),
            ("view_channel", "View Channel"),
            ("attach_files", "Attach Files"),
        )
    ),
    PlayedFault(
        "moderators: the channel deleted",
        _channel_deleted,
        f"“What you did counts, but {GONE}”",
        counted=(THREE_REFUSED,),
    ),
    PlayedFault(
        "moderators: the thread of the game deleted",
        _thread_deleted,
        "the game goes on in the channel",
        # Before its message is edited, the end of the thread is looked up, unless that was done a moment ago.
        counted=(Seen("requests: refused", 1, 6),),
    ),
    PlayedFault(
        "moderators: the thread of the game archived",
        partial(_thread_closed, archived=True, locked=False),
        "the next board opens the thread",
        counted=(Seen("requests: refused", 1, 8),),
    ),
    PlayedFault(
        "moderators: the thread of the game locked",
        partial(_thread_closed, archived=False, locked=True),
        "“What you did counts, but I may not post in #thread: this thread is locked; moderators can unlock it.”; the"
        " board comes when it is unlocked",
        (RETRIED,),
        (Seen("requests: refused", 1, 8),),
    ),
    PlayedFault("moderators: the bot removed and added again", _kicked, "nothing"),
)
