"""Games in threads that are archived, locked or deleted. Ada owns the server; the bot does not have Manage Threads."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest

from bot.pencilbox import Pencilbox
from bot.sandbox import Fault, Sandbox, messages
from bot.sandbox.world.clock import iso, snowflake
from bot.sandbox.world.events import ChannelGone
from bot.sandbox.world.threads import archive_inactive
from bot.sandbox.world.world import World
from bot.ui.matches.boards import NEAR
from bot.ui.posts import outbox_task
from bot.ui.posts.clients import Clients
from bot.ui.posts.permissions import sees
from db.values.places import Place
from tests.contract.checker import Contract
from tests.contract.player import Player, players
from tests.e2e.bot_in_process import bot_here
from tests.e2e.club import Club
from tests.e2e.messages import (
    Json,
    choose,
    found_in,
    message_with,
    once,
    open_data,
    open_preferences,
    open_settings,
    pinged,
    text_of,
    told,
    until,
    usable_buttons,
)
from tests.e2e.panels import Panel, board_in, boards_in, called, calls_in, removed
from tests.e2e.play import by_button, by_command, challenge, end, offered, resign
from tests.e2e.servers.test_settings import game_in_thread
from tests.waiting import PATIENCE, wait_while

Opened = Callable[[], AbstractAsyncContextManager[tuple[Sandbox, Pencilbox, Player, Player]]]
POST = ("POST", "/channels/{channel_id}/messages")


async def board_in_thread(club: Club) -> tuple[Json, Panel]:
    """Begin a game in a thread of its own; the thread and the first board."""
    thread = await game_in_thread(club)
    return thread, await board_in(club.ada, thread["id"], 0)


async def archive(player: Player, thread: Json, **state: bool) -> None:
    await player.post("thread-state", channel=thread["id"], **(state or {"archived": True}))


async def archived(player: Player, thread: Json, *, expected: bool = True) -> None:
    """Wait until a thread is archived, or not."""

    async def look() -> bool | None:
        channels = (await player.get("state"))["channels"]
        (found,) = (it for it in channels if it["id"] == thread["id"])
        return found["thread_metadata"]["archived"] is expected or None

    await player.until(look)


@pytest.mark.soak
async def test_deleted_member_is_not_named_in_an_archived_thread(club: Club) -> None:
    """The old board is edited where it stands, and the thread is archived again."""
    ada, grace = club.ada, club.grace
    thread, board = await board_in_thread(club)
    await resigned_in(grace, thread, board)
    last = await board_in(ada, thread["id"], 1)
    await removed(ada.elsewhere(thread["id"]), board)
    await archive(ada, thread)
    about = await open_data(grace)
    await grace.press(about, usable_buttons(about)["Delete my data…"])
    question = await message_with(grace, "This cannot be undone")
    await grace.press(question, usable_buttons(question)["Yes, delete it all"])
    mended = await until(ada, last.message, "ormer member")
    assert grace.id not in text_of(mended)
    await archived(ada, thread)
    assert len(boards_in(await ada.messages(thread["id"]))) == 1


async def resigned_in(loser: Player, thread: Json, board: Panel) -> None:
    """A member gives up a game in a thread."""
    await resign(loser.elsewhere(thread["id"]), board.match)


@pytest.mark.soak
async def test_pin_is_removed_in_an_archived_thread(club: Club) -> None:
    ada, grace = club.ada, club.grace
    await choose(ada, await open_settings(ada), "setting:pins", "on")
    for player in (ada, grace):
        await choose(player, await open_preferences(player), "prefer:notice", "none")
    thread, board = await board_in_thread(club)
    await once(ada, board.message, lambda now: now["pinned"])
    await archive(ada, thread)
    await end(ada, board.match, "too late")
    over = await once(ada, board.message, lambda now: not now["pinned"])
    assert "too late" in text_of(over)
    await archived(ada, thread)


@pytest.mark.soak
async def test_pins_turned_off_remove_the_pin_in_an_archived_thread(club: Club) -> None:
    ada = club.ada
    settings = await choose(ada, await open_settings(ada), "setting:pins", "on")
    thread, board = await board_in_thread(club)
    await once(ada, board.message, lambda now: now["pinned"])
    await archive(ada, thread)
    await choose(ada, settings, "setting:pins", "off")
    await once(ada, board.message, lambda now: not now["pinned"])
    await archived(ada, thread)


@pytest.mark.soak
async def test_reverted_result_is_announced_and_shown_in_an_archived_thread(club: Club) -> None:
    ada, grace = club.ada, club.grace
    thread, board = await board_in_thread(club)
    await resigned_in(grace, thread, board)
    last = await board_in(ada, thread["id"], 1)
    await archive(ada, thread)
    await end(ada, board.match, "one hand, two seats")
    await until(ada, last.message, "one hand, two seats")

    async def announced() -> bool | None:
        there = await ada.messages(thread["id"])
        lines = [
            it for it in there if "one hand, two seats" in text_of(it) and it["id"] != last.message["id"]
        ]
        return len(lines) == 1 or None

    await ada.until(announced)


async def test_inactive_thread_of_a_running_game_is_kept_open(club: Club) -> None:
    """A thread that Discord archives by itself is opened again, but only while its game runs.

    Otherwise a player who may not write in threads could not press buttons there.
    """
    ada, grace, local = club.ada, club.grace, club.local
    thread, board = await board_in_thread(club)
    world, (mover, _) = local.world, club.by_turn(board)
    local.deny("general", "send_messages_in_threads", mover.id)
    abandon(world, thread["id"])
    await archived(ada, thread, expected=False)
    await mover.press(board.message, board.moves["1"])
    await board_in(ada, thread["id"], 1)
    local.allow("general", "send_messages_in_threads", mover.id)
    await resigned_in(grace, thread, board)
    await board_in(ada, thread["id"], 2)
    await removed(ada.elsewhere(thread["id"]), board)
    abandon(world, thread["id"])
    # The bot has heard of the archived thread before it answers.
    await open_data(ada)
    assert world.channels[thread["id"]]["thread_metadata"]["archived"]


def abandon(world: World, thread: str) -> None:
    """Archive a thread as if nobody had written there for eight days."""
    found, then = world.channels[thread], world.clock.time() - 8 * 86_400
    found["last_message_id"], found["thread_metadata"]["archive_timestamp"] = snowflake(then), iso(then)
    archive_inactive(world)
    assert found["thread_metadata"]["archived"]


async def test_game_in_a_thread_of_a_member_moves_to_the_channel(club: Club) -> None:
    """The channel of the thread is known even where the bot has not opened the thread."""
    ada, grace = club.ada, club.grace
    thread = await ada.post("thread", channel=ada.channel, name="Ours")
    board = await challenge(ada.elsewhere(thread["id"]), grace.elsewhere(thread["id"]), "alaric")
    world = club.local.world
    world.remove_channel(world.channels[thread["id"]])
    world.publish(ChannelGone(thread))
    mover, _ = club.by_turn(board)
    await by_command(mover, board, "1")
    again = await board_in(ada, ada.channel, 1)
    assert again.match == board.match


# --- with the bot in this process, whose background task runs only when something wakes it


@pytest.fixture
def opened(contract: Contract, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Opened:
    """Opens a server with a bot; not a fixture itself, since its client may be used in one task only."""

    @asynccontextmanager
    async def server() -> AsyncIterator[tuple[Sandbox, Pencilbox, Player, Player]]:
        monkeypatch.setattr(outbox_task, "PAUSE", 3600.0)
        async with (
            Sandbox(observe=contract, channels=("general",)) as local,
            bot_here(local.url, tmp_path) as bot,
            players(local.url, local.world) as (ada, grace, _),
        ):
            yield local, bot, ada, grace
            # No request is under way when the bot ends.
            await bot.ui_services.running_answers.finish(PATIENCE)
            await wait_while(lambda: bot.services.store.posts.pending(datetime.now(UTC), 1))

    return server


async def begun_in_thread(ada: Player, grace: Player) -> tuple[Player, Player, Panel]:
    """Begin a game in a thread of a member; both players there, whoever is to move first, and the board."""
    thread = (await ada.post("thread", channel=ada.channel, name="Ours"))["id"]
    ada, grace = ada.elsewhere(thread), grace.elsewhere(thread)
    board = await challenge(ada, grace, "alaric")
    return (ada, grace, board) if board.turn == ada.id else (grace, ada, board)


@pytest.mark.parametrize(
    "state",
    [
        pytest.param({}, id="active", marks=pytest.mark.soak),
        pytest.param({"archived": True}, id="archived"),
    ],
)
async def test_board_of_a_locked_thread_comes_with_its_unlocking(
    opened: Opened, state: dict[str, bool]
) -> None:
    async with opened() as (_, bot, ada, grace):
        mover, _, board = await begun_in_thread(ada, grace)
        thread = mover.channel
        await ada.post("thread-state", channel=thread, locked=True, **state)
        elsewhere = mover.elsewhere(ada.channel)
        await by_command(elsewhere, board, "1")
        await told(elsewhere, f"I may not post in <#{thread}>: this thread is locked")
        await bot.outbox_task.publish_pending()
        assert [it.plies for it in boards_in(await ada.messages(thread))] == [0]
        await ada.post("thread-state", channel=thread, locked=False)
        after = await board_in(ada, thread, 1)
        await found_in(ada, lambda seen: called_by(seen, after), thread)


def called_by(seen: list[Json], board: Panel) -> bool | None:
    """Return True once one message, which may be the board, mentions the player on turn of the only board."""
    (shown,) = boards_in(seen)
    called = [it for it in (*calls_in(seen), shown.message) if pinged(it) == [board.turn]]
    return len({it["id"] for it in called}) == 1 or None


async def test_no_game_begins_in_a_locked_thread(opened: Opened) -> None:
    async with opened() as (_, _, ada, grace):
        thread = (await ada.post("thread", channel=ada.channel, name="Ours"))["id"]
        await ada.post("thread-state", channel=thread, locked=True)
        there = ada.elsewhere(thread)
        await there.command("challenge", game="alaric", member=grace.id)
        await told(there, "I cannot show the boards of a game here: this thread is locked")


@pytest.mark.soak
async def test_deleted_mention_is_sent_again(opened: Opened) -> None:
    """Discord refuses the nonce of the mention, which was sent without an answer and then deleted."""
    async with opened() as (local, bot, ada, grace):
        mover, waiter, board = await begun_in_thread(ada, grace)
        local.faults.plan(*POST, Fault.LOST)
        await by_button(mover, board, "1")
        call = await called(waiter, await board_in(waiter, board.message["channel_id"], 1))
        await bot.ui_services.running_answers.finish(PATIENCE)
        local.services.messages.remove(local.world.message(call["channel_id"], call["id"]))
        await bot.outbox_task.publish_pending()
        again = await called(waiter, await board_in(waiter, board.message["channel_id"], 1))
        assert again["id"] != call["id"]


@pytest.mark.soak
async def test_deleted_board_is_posted_again_in_its_thread(opened: Opened) -> None:
    async with opened() as (local, bot, ada, grace):
        mover, _, board = await begun_in_thread(ada, grace)
        for _ in range(NEAR + 1):
            await ada.elsewhere(mover.channel).say("Nice weather today.")
        local.faults.plan(*POST, Fault.LOST)
        await by_command(mover, board, "1")
        lost = await board_in(ada, mover.channel, 1)
        await bot.ui_services.running_answers.finish(PATIENCE)
        local.services.messages.remove(local.world.message(mover.channel, lost.message["id"]))
        await bot.outbox_task.publish_pending()
        again = await board_in(ada, mover.channel, 1)
        assert again.message["id"] != lost.message["id"]
        assert boards_in(await ada.messages()) == []


async def test_lost_card_is_found_in_an_archived_thread(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the channel of the thread, the bot would not know that it may read there."""
    async with opened() as (local, bot, ada, grace):
        monkeypatch.setattr(messages, "NONCE_HOLDS", 0.0)
        thread = (await ada.post("thread", channel=ada.channel, name="Ours"))["id"]
        there = ada.elsewhere(thread)
        local.faults.plan(*POST, Fault.LOST)
        await offered(there, there.command("challenge", game="alaric", member=grace.id))
        await bot.ui_services.running_answers.finish(PATIENCE)
        await ada.post("thread-state", channel=thread, archived=True)
        await bot.outbox_task.publish_pending()
        cards = [it for it in await ada.messages(thread) if "accept:" in str(it["components"])]
        assert len(cards) == 1


class Elsewhere(Clients):
    """The clients of a process that does not serve the server, whose roles and channels it asks Discord for."""

    def get_guild(self, guild: int | None) -> None:
        return None


@pytest.mark.soak
async def test_members_see_places_also_of_other_processes(opened: Opened) -> None:
    async with opened() as (local, bot, ada, grace):
        guild, general = int(local.world.guild["id"]), int(ada.channel)
        hidden = int(local.add_channel("hidden", "text"))
        local.deny("hidden", "view_channel", grace.id)
        public, private = [
            int((await ada.post("thread", channel=ada.channel, name="Ours", private=hides))["id"])
            for hides in (False, True)
        ]
        elsewhere = Elsewhere()
        for client in bot.clients._by_shard.values():
            elsewhere.add(client)
        for clients in (bot.clients, elsewhere):
            # The event of the permission comes soon.
            await wait_while(partial(sees, clients, int(grace.id), Place(guild, hidden)))
            assert await sees(clients, int(ada.id), Place(guild, hidden))
            assert await sees(clients, int(grace.id), Place(guild, general))
            assert await sees(clients, int(grace.id), Place(guild, public, general))
            assert not await sees(clients, int(grace.id), Place(guild, private, general))
            assert not await sees(clients, 4711, Place(guild, general))
            assert not await sees(clients, int(grace.id), Place(guild, 4711))
            assert not await sees(clients, int(grace.id), Place(None, general))
