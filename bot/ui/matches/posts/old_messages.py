"""Messages about a match that no longer hold: replaced boards shrink to a line, calls to players are deleted."""

import discord

from bot.app.matches.table import Table
from bot.app.matches.takebacks import back
from bot.app.services import Services
from bot.ui.kit.content.mentions import board_link
from bot.ui.kit.posts.posting import Posting
from bot.ui.matches.boards.move_lines import move_line
from bot.ui.matches.boards.panel import shown_by
from db.api.matches.matches import Panel
from db.api.matches.passing_messages import PassingMessage
from db.api.places import Place


class OldMessages:
    """Shrinks and deletes messages. What fails is tried again: the store remembers it until it is done."""

    def __init__(self, services: Services, posting: Posting) -> None:
        self._store = services.store
        self._posting = posting

    async def tidy(self, match: int) -> None:
        """Shrink the replaced boards of a match, and delete the calls that its players have answered.

        The caller holds the lock of the match.
        """
        found = await self._store.passing_messages(match)
        if not found or (stored := await self._store.load(match)) is None:
            return
        table = Table.of(stored)
        done = [one.message for one in found if await self._settle(table, one)]
        if done:
            await self._store.forget_messages(done)

    async def shrink(self, table: Table, board: Panel, newest: Panel) -> bool:
        """Shrink the board that a newer one has just replaced. Returns False if it is to be tried again.

        The caller holds the lock of the match.
        """
        replaced = PassingMessage(table.id, board.channel, board.message, board.plies, newest.plies)
        return await self._shrink(table, replaced, newest)

    async def shrink_used(self, place: Place, message: discord.Message) -> None:
        """Shrink a board that was just used if it is not the newest board of its match.

        A stopped process may have left it, or nobody could change it since. The caller holds the lock of the match.
        """
        found = shown_by(message)
        if found is None or not self._posting.is_unedited(message.id):
            return
        match, shown = found
        stored = await self._store.load(match)
        if stored is None or stored.panel is None or stored.panel.message == message.id:
            return
        table = Table.of(stored)
        plies = table.first_with(shown)
        until = min(table.first_with(shown + 1), stored.panel.plies)
        board = PassingMessage(match, place.channel, message.id, plies, max(plies, until))
        await self._shrink(table, board, stored.panel)

    async def _settle(self, table: Table, one: PassingMessage) -> bool:
        """Shrink a board, or delete a call that no longer holds. Returns True if the message is done with."""
        if one.seat is None:
            return await self._shrink(table, one, table.stored.panel)
        return not _holds(table, one) and await self._delete(table, one)

    async def _shrink(self, table: Table, board: PassingMessage, newest: Panel | None) -> bool:
        if newest is None or newest.message == board.message or board.until is None:
            return True
        place = table.stored.place
        line = move_line(table, board.plies, board.until, board_link(place, newest))
        return await self._posting.at(Place(place.guild, board.channel)).edit(board.message, line, files=())

    async def _delete(self, table: Table, call: PassingMessage) -> bool:
        place = table.stored.place
        if self._posting.reaches(place) or call.channel == place.channel:
            target = self._posting.at(Place(place.guild, call.channel))
        else:
            target = self._posting.direct(call.channel)
        return await target.delete(call.message)


def _holds(table: Table, call: PassingMessage) -> bool:
    """True if the player whom a call called is still to move, as far as everybody may know."""
    if call.seat not in table.match.to_move:
        return False
    since = table.since(table.back_to(call.plies).shown)
    return all(entry.seat != call.seat and back(entry) is None for entry in since)
