"""The bot's messages of a whole soak, searched for rows of the Palindromic Card Game while only their owners may know
them."""

import json
from collections import deque
from dataclasses import dataclass, field

from bot.sandbox import Sandbox
from bot.sandbox.world.events import Event, MessageEdited, MessageSent
from tests.bench.moves.playing import Game, Press
from tests.leaks.files import readable
from tests.leaks.notations import telling

KEPT = 4_000
"""The newest messages that are kept for the search; a row is hidden for a much shorter while."""
LAID = "arrange "
"""The start of the move that lays a row."""


@dataclass(frozen=True, slots=True)
class Said:
    """A message as it was sent or edited; `only` is the one member who sees it, None if all do."""

    at: int
    channel: str
    only: str | None
    text: str


@dataclass(frozen=True, slots=True)
class Row:
    """A row that only its owner may know from the message number `since` on."""

    row: str
    owner: str
    channel: str
    since: int


class HiddenRows:
    """Rows that are hidden now, and what was found of them."""

    def __init__(self, local: Sandbox) -> None:
        self._local = local
        self._said: deque[Said] = deque(maxlen=KEPT)
        self._hidden: dict[int, list[Row]] = {}
        self.rows: set[str] = set()
        """All rows so far, which no log may hold."""
        self.searched = 0
        """The number of messages that were searched for a row."""
        self.told: list[str] = []
        """A line for each message that tells a row to somebody else."""
        self.at = 0
        local.world.listen(self._hear)

    def _hear(self, event: Event) -> None:
        if isinstance(event, MessageSent | MessageEdited):
            message = event.message
            files = [self._local.world.store.file(file["id"]) or b"" for file in message.files]
            text = "\n".join([json.dumps(message.body, ensure_ascii=False), *map(readable, files)])
            self.at += 1
            self._said.append(Said(self.at, message.channel_id, message.ephemeral_for, text))

    def hide(self, match: int, row: Row) -> None:
        """Note a row that a member has laid."""
        self.rows.add(row.row)
        self._hidden.setdefault(match, []).append(row)

    def show(self, match: int) -> None:
        """Search for the rows of a match, which all may see from now on."""
        for row in self._hidden.pop(match, ()):
            for said in self._said:
                if said.at > row.since and said.channel == row.channel and said.only != row.owner:
                    self.searched += 1
                    if (words := telling(said.text, row.row)) is not None:
                        self.told.append(
                            f"the row {row.row} of match {match} was told to {said.only or 'everybody'} by {words!r}"
                        )

    def show_all(self) -> None:
        """Search for all rows that are still hidden."""
        for match in list(self._hidden):
            self.show(match)


@dataclass
class FollowedGame(Game):
    """A game whose hidden rows are known to the search."""

    rows: HiddenRows = field(kw_only=True)

    async def next_press(self) -> Press:
        since = self.rows.at
        press = await super().next_press()
        if press.text.startswith(LAID):
            row = press.text.removeprefix(LAID)
            self.rows.hide(self.number, Row(row, press.player.id, self.channel, since))
        return press

    async def play(self, press: Press) -> None:
        if press.text.startswith(LAID) and len(self.match.to_move) == 1:
            # By this press both rows are laid, and all may see them.
            self.rows.show(self.number)
        await super().play(press)
