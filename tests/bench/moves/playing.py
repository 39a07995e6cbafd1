"""Members who play on the boards of a local Discord in this process, as fast as the bot lets them."""

import asyncio
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from bot.sandbox import Sandbox
from bot.sandbox.checks.components import walk
from bot.sandbox.world.events import Event, MessageEdited, MessageGone, MessageSent
from bot.sandbox.world.records import Message
from rules.core.match import Match
from tests.contract.player import Player
from tests.e2e import secret_rows
from tests.e2e.messages import text_of
from tests.waiting import PATIENCE

_FILE = re.compile(r"-([0-9]+)-([0-9]+)\.png$")
_CONTROL = re.compile(r"(?:more|watch):([0-9]+)")
"""The custom id of a button that every board has, while its match goes on or at its end."""


def boards_on(message: Message) -> Iterator[tuple[int, int]]:
    """Yield the match and the number of plies of each board on a message. A position of a replay that a member shows to
    the channel is none."""
    ids = (str(part.get("custom_id", "")) for part in walk(message.body["components"]))
    shown = {int(found[1]) for it in ids if (found := _CONTROL.fullmatch(it))}
    for file in message.files:
        if (found := _FILE.search(file["filename"])) and int(found[1]) in shown:
            yield int(found[1]), int(found[2])


class Watch:
    """Knows the newest boards and private messages of a local Discord, and wakes those who wait for a change."""

    def __init__(self, local: Sandbox) -> None:
        self.boards: dict[int, tuple[Message, int]] = {}
        """By match: the newest board that everybody sees, and the plies that it shows."""
        self.private: dict[tuple[str, str], Message] = {}
        """By channel and member: the newest message that only this member sees."""
        self._files = local.world.store
        self._changed: dict[str, asyncio.Event] = {}
        local.world.listen(self._hear)

    def _hear(self, event: Event) -> None:
        if not isinstance(event, MessageSent | MessageEdited | MessageGone):
            return
        message = event.message
        if isinstance(event, MessageGone):
            self.private = {key: one for key, one in self.private.items() if one is not message}
        elif message.ephemeral_for is not None:
            self.private[message.channel_id, message.ephemeral_for] = message
        else:
            self._note_board(message)
        waiting = self._changed.pop(message.channel_id, None)
        if waiting is not None:
            waiting.set()

    def _note_board(self, message: Message) -> None:
        for match, plies in boards_on(message):
            if match not in self.boards or plies >= self.boards[match][1]:
                self.boards[match] = message, plies

    async def change(self, channel: str) -> None:
        """Wait until a message of the channel has changed."""
        await self._changed.setdefault(channel, asyncio.Event()).wait()

    def picture(self, message: Message) -> bytes:
        """Return the picture of a message; nothing if it has none."""
        for file in message.files:
            return self._files.file(file["id"]) or b""
        return b""


class Stuck(Exception):
    """Nothing can be pressed that plays a move."""


class Unanswered(AssertionError):
    """The bot did not answer a press; the text is Discord's reason, `offline` or `timeout`."""


@dataclass
class Press:
    """The press that plays a move: by whom, on which message, and the text of the move."""

    player: Player
    message: Message
    custom_id: str
    text: str
    private: bool
    """True if the board does not change, but a message that only the player sees."""

    async def make(self) -> None:
        answer = await self.player.press({"id": self.message.id}, self.custom_id)
        _check_answered(answer)
        assert answer["outcome"] == "update", (self.custom_id, answer)


@dataclass
class Game:
    """A match in a channel of its own, followed by its moves."""

    watch: Watch
    players: dict[int, Player]
    """By seat, each acting in the channel of the match."""
    number: int
    match: Match
    chance: random.Random
    opened: int = field(default=0)
    """Presses that only opened a choice."""

    @property
    def channel(self) -> str:
        return next(iter(self.players.values())).channel

    async def board(self, plies: int = 0) -> tuple[Message, int]:
        """Return the board once it shows at least so many plies."""
        async with asyncio.timeout(PATIENCE):
            while True:
                found = self.watch.boards.get(self.number)
                if found is not None and found[1] >= plies:
                    return found
                await self.watch.change(self.channel)

    async def next_press(self) -> Press:
        """Open choices until one press plays a move; return that press, not made yet. Raises Stuck."""
        board, plies = await self.board()
        seat = self.chance.choice([seat for seat in self.match.to_move if seat in self.players])
        player = self.players[seat]
        if self.match.game.secret(self.match.state):
            return await self._secret(seat, player, board)
        if plies != len(self.match.log):
            # A press of before, whose answer came too late, has been stored since the match was read.
            raise Stuck(f"match {self.number} is at ply {plies}, its member at {len(self.match.log)}")
        message, path = board, ""
        while not (ids := _ids(message, "play", self.number, plies)):
            deeper = self._deeper(message, plies, path)
            if not deeper:
                raise Stuck(f"match {self.number} at ply {plies}: {text_of(message.body)}")
            path = self.chance.choice([*deeper])
            answer = await player.press({"id": message.id}, deeper[path])
            _check_answered(answer)
            self.opened += 1
            message = await self._opened(player, plies, path)
        text = self.chance.choice([*ids])
        return Press(player, message, ids[text], text, private=False)

    async def play(self, press: Press) -> None:
        """Make a press, and wait until what it changes has changed."""
        edited = press.message.body.get("edited_timestamp")
        board, plies = await self.board()
        await press.make()
        self.match = self.match.play(self.seat_of(press.player), press.text)
        if not press.private:
            await self.board(plies + 1)
            return
        # A round that is over shows on the board, anything else in the private message.
        async with asyncio.timeout(PATIENCE):
            while press.message.body.get("edited_timestamp") == edited and await self.board() == (
                board,
                plies,
            ):
                await self.watch.change(self.channel)

    def seat_of(self, player: Player) -> int:
        return next(seat for seat, one in self.players.items() if one is player)

    def _deeper(self, message: Message, plies: int, path: str) -> dict[str, str]:
        """Return the buttons that open a part of the part at `path`."""
        parts = _ids(message, "among", self.number, plies)
        return {key: custom_id for key, custom_id in parts.items() if key.startswith(path) and key != path}

    async def _opened(self, player: Player, plies: int, path: str) -> Message:
        """Return the private message once it offers what is in the part at `path`."""
        async with asyncio.timeout(PATIENCE):
            while True:
                found = self.watch.private.get((self.channel, player.id))
                if found is not None and (
                    _ids(found, "play", self.number, plies) or self._deeper(found, plies, path)
                ):
                    return found
                await self.watch.change(self.channel)

    async def _secret(self, seat: int, player: Player, board: Message) -> Press:
        state: Any = self.match.state
        seen = secret_rows.buttons(board.body)
        panel: Any = _Seen(board.body, seen)
        message = await secret_rows.look(player, panel)
        self.opened += 1
        if not state.arranged:
            row = list("R" * state.hand(seat)[0] + "B" * state.hand(seat)[1])
            self.chance.shuffle(row)
            message = await secret_rows.type_row(player, message, "".join(row))
            self.opened += 1
            seal = secret_rows.buttons(message)["Seal it"]
            return self._private(player, message["id"], seal, f"arrange {''.join(row)}")
        row = state.rows[1 - seat]
        usable = secret_rows.buttons(message)
        stretches = [
            (first, last)
            for first in range(1, len(row) + 1)
            for last in range(first, len(row) + 1)
            if row[first - 1] == "R" and (word := row[first - 1 : last]) == word[::-1]
            and word not in state.found[seat] and f"♦ {first}" in usable
        ]  # fmt: skip
        if not stretches:
            message = await secret_rows.press(player, message, "Done", "Really done?")
            self.opened += 1
            return self._private(player, message["id"], secret_rows.buttons(message)["Yes, done"], "done")
        first, last = self.chance.choice(stretches)
        message = await secret_rows.press(player, message, f"♦ {first}", "Press its last card")
        self.opened += 1
        label = f"{first}–{last}" if last > first else f"{first} alone"
        return self._private(player, message["id"], secret_rows.buttons(message)[label], f"{first}-{last}")

    def _private(self, player: Player, id_: str, custom_id: str, text: str) -> Press:
        message = self.watch.private[self.channel, player.id]
        assert message.id == id_
        return Press(player, message, custom_id, text, private=True)


@dataclass
class _Seen:
    """As much of a panel as is needed to look at one's own cards."""

    message: dict[str, Any]
    buttons: dict[str, str]


def _check_answered(answer: dict[str, Any]) -> None:
    if answer["outcome"] == "failed":
        raise Unanswered(answer["reason"])


def _ids(message: Message, kind: str, match: int, plies: int) -> dict[str, str]:
    """Return the custom ids of a kind of button on a message, by what stands behind match and plies."""
    start = f"{kind}:{match}:{plies}:"
    ids = (part.get("custom_id", "") for part in walk(message.body["components"]) if not part.get("disabled"))
    return {custom_id.removeprefix(start): custom_id for custom_id in ids if custom_id.startswith(start)}
