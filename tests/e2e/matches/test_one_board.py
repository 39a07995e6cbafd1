"""A channel holds one board per game and one mention of the player on turn, also after kills and in direct messages."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.sandbox import Fault, Sandbox, messages
from bot.sandbox.rest import messages as rest_messages
from bot.ui.matches import boards
from bot.ui.posts import outbox_task
from db.values.posts import PostKind
from db.values.proposals import Matter
from rules.core.match import Match
from rules.games import find
from tests.contract.checker import Contract
from tests.contract.player import Player, players
from tests.e2e.bot_in_process import bot_here
from tests.e2e.bot_process import bot_at
from tests.e2e.club import Club
from tests.e2e.messages import Json, choose, found_in, message_with, once, open_settings, pinged, text_of
from tests.e2e.panels import Panel, boards_in, called, calls_in, newer_panel, panel_at, panels, removed
from tests.e2e.play import by_button, by_command, by_modal, by_more, challenge, resigned
from tests.e2e.proposals.test_proposals import board_saying, settled
from tests.faults.of_discord import BOARD, OLD_BOARD
from tests.waiting import PATIENCE, wait_while

PIN = "/channels/{channel_id}/messages/pins/{message_id}"
MESSAGE = OLD_BOARD[1]
PIN_LINE = 6
"""The type of the message by which Discord announces a pin."""


@dataclass
class Evening:
    """A game between two members in one channel, whose moves are always the same."""

    players: list[Player]
    panel: Panel
    match: Match
    pinned: bool = False
    direct: bool = False
    texts: list[str] = field(default_factory=list)
    moved_on: str = ""
    """The id of the message with the board on which the last move was made."""

    @classmethod
    async def begin(cls, size: int, *members: Player, pinned: bool = False) -> "Evening":
        """On a ring of so many cells. `pinned` is True where the server wants the newest board pinned."""
        panel = await challenge(members[0], members[1], "alaric", str(size))
        return cls(list(members), panel, Match.start(find("alaric"), {"size": size}, 2), pinned)

    @property
    def mover(self) -> Player:
        return next(player for player in self.players if player.id == self.panel.turn)

    async def enter(self, way: Callable[[Player, Panel, str], Awaitable[None]] | None = None) -> None:
        """Enter the next move in this way, or by what stands under the board."""
        moves = self.match.legal()
        assert moves is not None
        (seat,) = self.match.to_move
        text = moves[len(self.texts) % len(moves)]
        self.moved_on = self.panel.message["id"]
        usual = by_button if text in self.panel.moves else by_modal
        await (way or usual)(self.mover, self.panel, text)
        self.match = self.match.play(seat, text)
        self.texts.append(text)

    async def move(self) -> None:
        """Make the next move and wait for its board."""
        await self.enter()
        await self.look()

    async def finish(self) -> None:
        """Play to the end, and wait until the channel is tidy."""
        while self.panel.turn is not None:
            await self.move()
        await self.is_tidy()

    async def look(self) -> None:
        self.panel = await panel_at(self.players[0], self.panel.match, len(self.texts))

    async def seen(self) -> list[Json]:
        """The bot's last messages that everybody sees, in direct messages without the card of the challenge.

        In direct messages the bot can only answer, so the card stays there.
        """
        watcher = self.players[0]
        seen = await watcher.get(f"channels/{watcher.channel}/messages?limit=100")
        public = [it for it in seen if it["ephemeral_for"] is None and it["author"].get("bot")]
        return [it for it in public if "challenges" not in text_of(it)] if self.direct else public

    async def is_tidy(self) -> None:
        """Wait until the channel holds the newest board, one mention of the player on turn, and nothing else.

        When the game is over the last board mentions the other player. A board that was posted with the mention, and
        edited since, no longer has it. If the server wants that, the board is pinned while the game goes on, and no
        other message is.
        """

        async def settled() -> Panel | None:
            seen = await self.seen()
            found, calls = boards_in(seen), calls_in(seen)
            if len(found) != 1 or len(seen) != 1 + len(calls) or found[0].plies != len(self.texts):
                return None
            (board,) = found
            mentioned = [user for message in (board.message, *calls) for user in pinged(message)]
            pins = [board.message["id"]] if self.pinned and board.turn is not None else []
            # A board that the move has edited is mentioned below.
            posted = board.turn is None or board.message["id"] != self.moved_on
            edited = posted and board.message["edited_timestamp"] is not None and not mentioned
            right = edited or (len(mentioned) == 1 and board.turn in (None, mentioned[0]))
            over = board.turn is None and calls
            return board if right and not over and pinned_in(seen) == pins else None

        self.panel = await self.players[0].until(settled)


def pinned_in(seen: list[Json]) -> list[str]:
    """The pinned messages, and the lines that announce pins."""
    return [message["id"] for message in seen if message["pinned"] or message["type"] == PIN_LINE]


@pytest.mark.parametrize(
    ("size", "moves"), [(6, (1, 1, 6)), pytest.param(26, (20, 17, 60), marks=pytest.mark.soak)]
)
async def test_a_whole_game_leaves_one_board(
    contract: Contract, tmp_path: Path, size: int, moves: tuple[int, int, int]
) -> None:
    """One game in a channel and one in direct messages, side by side.

    The bot is killed when it could delete neither mentions nor an old board, and when it could not note that a new
    board had been posted.
    """
    first, second, least = moves
    async with Sandbox(observe=contract) as local, players(local.url, local.world) as (ada, grace, _):
        for member in (ada, grace):
            local.install(member.id)
        direct = (await ada.post("direct", **{"with": [grace.id]}))["id"]
        async with bot_at(local.url, tmp_path):
            await choose(ada, await open_settings(ada), "setting:pins", "on")
            here = await Evening.begin(size, ada, grace, pinned=True)
            there = await Evening.begin(size, ada.elsewhere(direct), grace.elsewhere(direct))
            there.direct = True
            board = here.panel.message["id"]
            for _ in range(first):
                await asyncio.gather(here.move(), there.move())
            await here.is_tidy()
            await there.is_tidy()
            assert here.panel.message["id"] == board
            local.faults.plan("DELETE", MESSAGE, Fault.RESET, times=1000)
            for _ in range(3):
                await here.move()
                await called_by_newest(here)
            await ada.command("board")
            await newer_panel(ada, here.panel)
            assert len(await panels(ada)) == 2
        local.faults.clear()
        async with bot_at(local.url, tmp_path) as bot:
            await here.is_tidy()
            for _ in range(second):
                await asyncio.gather(here.move(), there.move())
            await there.is_tidy()
            local.faults.plan(*BOARD, Fault.LOST)
            await grace.command("board")
            await newer_panel(ada, here.panel)
            await bot.kill()
        async with bot_at(local.url, tmp_path):
            await here.is_tidy()
            await asyncio.gather(here.finish(), there.finish())
            assert min(len(here.texts), len(there.texts)) > least


@pytest.mark.soak
@pytest.mark.parametrize("moves", [40])
async def test_a_long_game_leaves_one_message(club: Club, moves: int) -> None:
    """Nothing is left of the challenge, of a declined draw, and of the mentions."""
    game = await Evening.begin(26, club.ada, club.grace)
    while len(game.texts) < moves:
        await game.move()
        if len(game.texts) == moves // 2:
            await by_more(game.mover, game.panel.match, "draw")
            offer = await board_saying(club.grace, game.panel, "offers a draw")
            other = club.grace if game.mover is club.ada else club.ada
            await other.press(offer.message, offer.buttons["Decline the draw"])
            await settled(club.grace, game.panel, "declined")
    await game.is_tidy()
    last = await resigned(club.ada, game.panel)
    await found_in(club.emmy, lambda seen: [it["id"] for it in seen] == [last.message["id"]] or None)


async def called_by_newest(game: Evening) -> None:
    """Wait until the newest message that mentions a player on turn mentions the one of the newest board."""
    await found_in(
        game.players[0],
        lambda seen: pinged(calls_in(seen)[-1]) == [game.panel.turn] or None if calls_in(seen) else None,
    )


async def only_pinned(player: Player, board: Panel) -> None:
    """Wait until this board is the only pinned message, and no line announces a pin."""
    await found_in(player, lambda seen: pinned_in(seen) == [board.message["id"]] or None)


async def test_pinned_board_stays_one_message_and_moves_down(club: Club) -> None:
    """`/board` posts the board again at the end of the channel; moves edit it, and its pin follows it."""
    await choose(club.ada, await open_settings(club.ada), "setting:pins", "on")
    board = await challenge(club.ada, club.grace, "alaric", "4")
    assert pinged(board.message) == [board.turn]
    calls: list[str] = []
    while board.turn is not None:
        mover, _ = club.by_turn(board)
        await by_button(mover, board, next(iter(board.moves)))
        before, board = board, await panel_at(club.emmy, board.match, board.plies + 1)
        if board.turn is None:
            break
        assert board.message["id"] == before.message["id"]
        calls.append((await called(club.emmy, board))["id"])
        if board.plies == 2:
            await only_pinned(club.emmy, before)
            await club.grace.command("board")
            board = await newer_panel(club.emmy, before)
            await removed(club.emmy, before)
            assert pinged(board.message) == []
            await only_pinned(club.emmy, board)
            assert [it["id"] for it in calls_in(await club.emmy.messages())] == calls[-1:]
    await found_in(club.emmy, lambda seen: (pinned_in(seen) == [] and not calls_in(seen)) or None)
    assert len(calls) > 2
    (last,) = await panels(club.emmy)
    assert last.message["attachments"] == []


async def test_a_board_that_may_not_be_pinned_is_posted_all_the_same(club: Club) -> None:
    club.local.deny("general", "pin_messages")
    await choose(club.ada, await open_settings(club.ada), "setting:pins", "on")
    await message_with(club.ada, f"In <#{club.ada.channel}> I lack Pin Messages.")
    board = await challenge(club.ada, club.grace, "alaric")
    mover, waiter = club.by_turn(board)
    await by_button(mover, board, next(iter(board.moves)))
    club.local.allow("general", "pin_messages")
    board = await panel_at(waiter, board.match, 1)
    mover, waiter = club.by_turn(board)
    await by_button(mover, board, next(iter(board.moves)))
    board = await panel_at(waiter, board.match, 2)
    await only_pinned(club.emmy, board)


async def test_pin_that_fails_repeats_no_mention(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long Discord does not pin a board, its player is mentioned once."""
    monkeypatch.setattr(messages, "NONCE_HOLDS", 0.0)
    board = await challenge(club.ada, club.grace, "alaric")
    await choose(club.ada, await open_settings(club.ada), "setting:pins", "on")
    mover, _ = club.by_turn(board)
    club.local.faults.plan("PUT", PIN, Fault.RESET)
    await by_command(mover, board, "1")
    await only_pinned(club.emmy, board)
    await called(club.emmy, await panel_at(club.emmy, board.match, 1))


async def say(player: Player, times: int) -> None:
    for number in range(times):
        await player.say(f"message {number}")


async def test_board_below_many_messages_moves_to_the_end(club: Club) -> None:
    """After up to NEAR messages of members the board is edited; after more it is posted at the end of the channel."""
    board = await challenge(club.ada, club.grace, "alaric")
    await say(club.emmy, boards.NEAR + 1)
    mover, waiter = club.by_turn(board)
    await by_button(mover, board, "1")
    again = await newer_panel(club.emmy, board)
    assert (again.plies, again.turn, pinged(again.message)) == (1, waiter.id, [waiter.id])
    await removed(club.emmy, board)
    seen = [it for it in await club.emmy.messages() if it["ephemeral_for"] is None]
    assert seen[-1]["id"] == again.message["id"]
    assert calls_in(seen) == []
    await say(club.emmy, boards.NEAR)
    await by_button(waiter, again, "3")
    edited = await panel_at(club.emmy, board.match, 2)
    assert edited.message["id"] == again.message["id"]
    await called(club.emmy, edited)


async def test_board_whose_deletion_is_refused_becomes_a_line(club: Club) -> None:
    board = await challenge(club.ada, club.grace, "alaric")
    club.local.faults.plan("DELETE", MESSAGE, Fault.FORBIDDEN)
    await club.grace.command("board")
    again = await newer_panel(club.emmy, board)
    left = await once(club.emmy, board.message, lambda it: "is below" in text_of(it))
    link = f"https://discord.com/channels/{club.local.world.guild['id']}/{club.emmy.channel}/{again.message['id']}"
    assert text_of(left).strip() == f"-# [The newer message]({link}) is below."
    assert not left["attachments"]
    assert [it.message["id"] for it in await panels(club.emmy)] == [again.message["id"]]


async def test_board_from_before_a_backup_is_deleted_on_press(club: Club) -> None:
    """The store does not know a board that a member uses, so it is deleted; the board that the store knows stays."""
    first = await challenge(club.ada, club.grace, "alaric")
    # The board is deleted in the store's eyes, but not in Discord.
    club.local.faults.plan("DELETE", MESSAGE, Fault.NOT_FOUND)
    await club.ada.command("board")
    second = await newer_panel(club.ada, first)
    # Else the press would meet the fault.
    await wait_while(lambda: club.local.faults)
    await found_in(club.ada, lambda seen: all(it["state"] != "thinking" for it in seen) or None)
    assert len(await panels(club.emmy)) == 2
    mover, waiter = club.by_turn(first)
    await waiter.press(first.message, first.buttons["More"])
    await removed(club.emmy, first)
    assert [board.message["id"] for board in await panels(club.emmy)] == [second.message["id"]]
    await by_command(mover, second, "3")
    assert (await panel_at(waiter, first.match, 1)).message["id"] == second.message["id"]


@pytest.mark.soak
async def test_old_board_is_never_edited_by_moves(
    contract: Contract, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each move posts a board that is an hour old again, and deletes it; Discord allows few edits of old messages."""
    async with (
        Sandbox(observe=contract) as local,
        bot_here(local.url, tmp_path),
        players(local.url, local.world) as (ada, grace, emmy),
    ):
        members = {player.id: player for player in (ada, grace)}
        board = await challenge(ada, grace, "alaric")
        monkeypatch.setattr(boards, "YOUNG", timedelta())
        edits = contract.seen["update_message"]
        for plies, text in enumerate(("1", "3", "5"), 1):
            await by_command(members[board.turn or ""], board, text)
            before, board = board, await newer_panel(emmy, board)
            assert (board.plies, pinged(board.message)) == (plies, [board.turn])
            await removed(emmy, before)
            assert len(await panels(emmy)) == 1
        assert contract.seen["update_message"] == edits
        assert calls_in(await emmy.messages()) == []


@pytest.mark.soak
async def test_limit_of_old_edits_delays_no_match(
    contract: Contract, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Discord makes the edit of an old board wait (429, code 30046).

    Meanwhile, games of other channels are shown, and moves in the game of the board are stored.
    """
    monkeypatch.setattr(outbox_task, "SLOW", 0.5)
    monkeypatch.setattr(outbox_task, "PAUSE", 0.5)
    async with (
        Sandbox(channels=("general", "lounge"), observe=contract) as local,
        bot_here(local.url, tmp_path) as bot,
        players(local.url, local.world) as (ada, grace, emmy),
    ):
        lounge = local.channel("lounge")["id"]
        old = await challenge(ada, grace, "alaric")
        other = await challenge(ada.elsewhere(lounge), grace.elsewhere(lounge), "skull")
        local.faults.plan(*OLD_BOARD, Fault.RATE_LIMITED_OLD, seconds=600.0)
        # What no interaction shows is published in rounds of the outbox.
        await bot.services.proposals.propose(old.match, int(ada.id), Matter.DRAW)
        async with asyncio.timeout(PATIENCE):
            while local.faults:
                bot.outbox.wake()
                await asyncio.sleep(0.05)
        await bot.services.matches.resign(other.match, int(ada.id))
        bot.outbox.wake()
        last = await panel_at(emmy.elsewhere(lounge), other.match, 1)
        assert "resigned" in last.text
        mover = ada if old.turn == ada.id else grace
        await mover.command("move", move="1", number=old.match)
        async with asyncio.timeout(PATIENCE):
            while not (await bot.services.matches.load(old.match)).match.log:
                await asyncio.sleep(0.05)
        assert "offers a draw" not in (await panels(emmy))[0].text  # The edit still waits.


@pytest.mark.soak
async def test_bulk_edits_of_old_boards_keep_to_the_limit(
    contract: Contract, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All boards of a channel change at once, as after a deletion of a member's data: Discord refuses no edit."""
    monkeypatch.setattr(outbox_task, "OLD", -timedelta(hours=1), raising=False)
    monkeypatch.setattr(outbox_task, "OLD_EDIT_SPAN", timedelta(seconds=0.8), raising=False)
    async with (
        Sandbox(observe=contract) as local,
        bot_here(local.url, tmp_path) as bot,
        players(local.url, local.world) as (ada, grace, _),
    ):
        # Three edits in 1.2 seconds, with much room for a busy machine.
        local.services.old_edits.seconds = 1.2
        matches = [(await challenge(ada, grace, "alaric", str(size))).match for size in range(5, 9)]
        monkeypatch.setattr(rest_messages, "OLD", -60.0)  # From now on, all messages are old.
        store = bot.services.store
        for match in matches:
            await store.posts.change(PostKind.BOARD, match, datetime.now(UTC))
        bot.outbox.wake()
        await wait_while(lambda: store.posts.pending(datetime.now(UTC) + timedelta(hours=1), 10))
        assert local.services.old_edits.refused == 0
