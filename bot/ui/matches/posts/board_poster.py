"""Posting boards: each move gets one new message, and the board before it shrinks to a line with the move.

Where a server chose so, one message shows the game and is redrawn instead, and a line calls the player who is next.

What cannot be posted now, because Discord cannot be reached or a permission is missing, is posted later.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import discord
import structlog
from discord import ui

from bot.app.errors import Refused
from bot.app.matches.table import Table
from bot.app.services import Services
from bot.app.tasks.locks import Locks
from bot.ui.computers.task import ComputerTask
from bot.ui.kit.content.pictures import board_picture
from bot.ui.kit.posts.clients import Clients
from bot.ui.kit.posts.posting import DISCORD_ERRORS, is_temporary
from bot.ui.kit.posts.refused_posts import RefusedPosts
from bot.ui.kit.services import Kit
from bot.ui.matches.boards.panel import panel, shown_by
from bot.ui.matches.posts.in_place import in_place
from bot.ui.matches.posts.lost_boards import LostBoards
from bot.ui.matches.posts.notified_users import users_to_notify
from bot.ui.matches.posts.old_messages import OldMessages
from bot.ui.matches.posts.pins import Pins
from bot.ui.matches.posts.result_announcer import ResultAnnouncer
from bot.ui.matches.posts.threads import Threads
from bot.ui.proposals.proposal_poster import ProposalPoster
from db.api.matches.matches import Panel, StoredMatch, Surroundings
from db.api.matches.passing_messages import PassingMessage
from db.api.members.members import Notice
from db.api.places import DiscordId, Place

log = structlog.get_logger()


class BoardPoster:
    """Posts the panels of matches. One task at a time shows a match, so its panels stay in order."""

    def __init__(self, clients: Clients, services: Services, kit: Kit, proposals: ProposalPoster) -> None:
        self._proposals = proposals
        self._services = services
        self._store = services.store
        self._ownership = services.ownership
        self._matches = services.matches
        self._preferences = services.preferences
        self._posting = kit.posting
        self._permission_alerts = kit.permission_alerts
        self._turn_notices = kit.turn_notices
        self._old_messages = OldMessages(services, kit.posting)
        self._lost_boards = LostBoards(clients, services)
        self._pins = Pins(clients, services)
        self._threads = Threads(clients, services, kit)
        self._result_announcer = ResultAnnouncer(services, kit)
        self.computers = ComputerTask(services, kit.posting, self._show_changed)
        self._locks = Locks()
        self._refused = RefusedPosts(kit.permission_alerts, pictures=True)
        self._written: dict[int, int] = {}
        """By match that waits to be shown: the number of its plies when its players were sent direct messages."""

    async def show(self, match: int, known: Table | None = None, *, again: bool = False) -> None:
        """Post the board of a match as it stands unless its panel shows that already; post it anyway if `again`.

        `known` is the match as it was just stored, which saves reading it.

        Where the bot is not a member, the board waits for the next interaction there, and the players to notify get
        direct messages meanwhile. Raises Refused if the bot may not post there, and DISCORD_ERRORS.
        """
        # A player who has just left may have been the last whose consent was missing: then the proposal is carried out.
        if _maybe(known, lambda around: around.proposals):
            await self._proposals.settle(match)
        await self._show(match, known, again=again)

    async def refresh(self, match: int) -> None:
        """Redraw the clocks and the players on the panel of a match, without notifying anybody."""
        async with self._locks.of(match):
            table = await self._matches.table(match)
            if not self._ownership.shows(table.stored.place.guild):
                await self._store.tell_owner(match, table.stored.place.guild)
                return
            old = table.stored.panel
            if old is None or old.plies < table.plies:
                return  # A new board will show them.
            await self._edit(table, old)

    async def permissions_changed(self) -> None:
        """Show what could not be shown: a permission may have been granted."""
        if self._refused:
            await self.catch_up()

    async def catch_up(self) -> None:
        """Do what is left to do: show boards, bring old messages and pins up to date, announce results."""
        unshown = await self._store.unshown()
        suspected = await self._lost_boards.suspected() - {stored.id for stored in unshown}
        repeated = [stored for match in sorted(suspected) if (stored := await self._store.load(match))]
        for stored in (*unshown, *repeated):
            if self._posting.reaches(stored.place):
                await self._try_to_show(stored)
        for match in dict.fromkeys([*await self._store.passed(), *await self._pins.unsettled()]):
            async with self._locks.of(match):
                await self._tidy(match)
        await self.show_all(await self._store.unannounced())

    async def show_all(self, matches: Iterable[int]) -> None:
        """Show these matches, which changed without an interaction, and announce their results."""
        for match in matches:
            if (stored := await self._store.load(match)) is not None:
                await self._try_to_show(stored)

    async def _show_changed(self, match: int) -> None:
        await self.show_all([match])

    async def deliver(self, place: Place) -> None:
        """Show the boards that waited at a place, through the interaction that is being answered there."""
        for stored in await self._store.unshown(place.channel):
            await self._try_to_show(stored)

    async def shrink_used(self, place: Place, message: discord.Message) -> None:
        """Shrink a board that was just used if it is not the newest board of its match."""
        found = shown_by(message) if self._posting.is_unedited(message.id) else None
        if found is not None:
            async with self._locks.of(found[0]):
                await self._old_messages.shrink_used(place, message)

    async def _show(self, match: int, known: Table | None = None, *, again: bool = False) -> None:
        """Show a match, and after the last board of the first game of two also the second game."""
        second = await self._show_one(match, known, again=again)
        if second is not None:
            await self._show_one(second)

    async def _show_one(self, match: int, known: Table | None = None, *, again: bool = False) -> int | None:
        """Show a match. Return the second game if this is the first of two and over."""
        async with self._locks.of(match):
            table = await self._matches.newest(match, known)
            if not self._ownership.shows(table.stored.place.guild):
                return None  # Its owner hears of every change, and shows it.
            table = await self.computers.move(table)
            second = await self._second_game(table)
            table, posted = await self._take_lost(table, again=again)
            if posted is None and table.stored.panel is None and await self._threads.move(table):
                table = await self._matches.table(match)
            if posted is None and not again and await self._is_shown(table):
                return second
            forced = await self._matches.by_itself(table)
            users = [] if again else await self._users_to_notify(table, forced, second)
            if self._posting.at(table.stored.place).open:
                await self._show_now(table, posted, forced, users, again=again)
            else:
                await self._write_instead(table, users)
        return second

    async def _is_shown(self, table: Table) -> bool:
        """Return True if the panel shows all that everybody may see of a match, and do what is then left to do."""
        before = table.stored.panel
        if before is None:
            return False
        if before.plies >= table.plies:
            self._lost_boards.clear(table.id)
            await self._tidy(table.id)
            await self._announce_result(table.id)
            return True
        if table.back_to(before.plies).shown == table.shown:
            # All moves since are hidden: a new board would reveal that they were made.
            same = Panel(before.channel, before.message, table.plies)
            await self._store.show(table.id, same, shrunk=same.message)
            return True
        return False

    async def _users_to_notify(self, table: Table, forced: int, second: int | None) -> list[DiscordId]:
        before = table.stored.panel
        if before is not None and before.plies >= table.plies:
            return []
        # Of the second game all hear who have to move in it: once is enough.
        begin = () if second is None else (await self._matches.table(second)).waiting_for
        return [it for it in users_to_notify(table, before, forced) if it not in begin]

    async def _write_instead(self, table: Table, users: Sequence[DiscordId]) -> None:
        """Send direct messages about a board that waits for the next interaction in its channel."""
        if self._written.get(table.id) != table.plies:
            self._written[table.id] = table.plies
            await self._store.add_messages(await self._turn_notices.write_instead(table, users))
        await self._tidy(table.id)

    async def _show_now(
        self, table: Table, posted: Panel | None, forced: int, users: Sequence[DiscordId], *, again: bool
    ) -> None:
        """Show a match by a message, `posted` if one shows it already, and store which message that is."""
        match, before = table.id, table.stored.panel
        self._written.pop(match, None)
        users_by_notice = await self._turn_notices.by_notice(users, table)
        pinged = users_by_notice[Notice.PING]
        if again and before is not None:
            repeated = PassingMessage(match, before.channel, before.message, before.plies, before.plies)
            await self._store.add_messages([repeated])
        shown = None
        if before is not None and posted is None and not again:
            shown = await self._redraw(table, before, forced)
        calls = []
        if shown is not None:
            calls = await self._turn_notices.call(table, shown, pinged)
        else:
            # After a restored backup another board may have shown as many plies: it replaced another message.
            replaced_by = "" if before is None else before.message
            once = None if again else f"board {match} {table.shown} {table.stored.started_at} {replaced_by}"
            self._lost_boards.suspect(table)
            shown = posted or await self._post(table, forced, pinged, once)
        self._refused.remove(match)
        calls += await self._turn_notices.write(table, shown, users_by_notice[Notice.DIRECT])
        # The board before shrinks first. If the process is stopped here, the next one finds the new board in the
        # channel, and shrinks the board before; so only what fails has to be stored.
        shrunk = before is None or (not again and await self._old_messages.shrink(table, before, shown))
        pin = await self._pins.wanted(table)
        replaced = before.message if before is not None and shrunk else None
        await self._store.show(match, shown, calls, pin=pin, shrunk=replaced)
        self._lost_boards.clear(match)
        if pin or not shrunk or _maybe(table, lambda around: around.messages or around.pins):
            await self._tidy(match)
        if table.match.over and not again:
            await self._announce_result(match)

    async def _take_lost(self, table: Table, *, again: bool) -> tuple[Table, Panel | None]:
        """Store the boards of a match that are in its channel without being stored. Return the match with the last.

        A board that shows the match as it stands is not stored, but returned as well: it need not be posted. Raises
        DISCORD_ERRORS.
        """
        lost = await self._lost_boards.of(table)
        if lost:
            log.info("boards found in a channel", match=table.id, messages=[board.message for board in lost])
        posted = lost.pop() if lost and lost[-1].plies == table.plies and not again else None
        for board in lost:  # Each has replaced the one before.
            await self._store.show(table.id, board)
            table = Table(replace(table.stored, panel=board), table.match)
        return table, posted

    async def _tidy(self, match: int) -> None:
        """Bring what was posted about a match up to date: replaced boards, answered calls, and the pin."""
        await self._old_messages.tidy(match)
        await self._pins.settle(match)

    async def _second_game(self, table: Table) -> int | None:
        """Return the game that followed a match as the second of two, or None."""
        if table.stored.games == 1 or table.stored.first is not None or not table.match.over:
            return None
        return await self._store.second_game(table.id)

    async def _try_to_show(self, stored: StoredMatch) -> None:
        """Show a board; if that fails, a later call will show it."""
        if self._refused.still(stored.id, stored.place):
            return  # The server has not granted what is missing.
        try:
            await self._show(stored.id)
        except Refused:
            log.warning("board cannot be shown", match=stored.id, channel=stored.place.channel)
        except DISCORD_ERRORS as error:
            log.warning("board not shown yet", match=stored.id, error=type(error).__name__)

    async def _announce_result(self, match: int) -> None:
        """Announce the result of a match that is shown, or that it was taken back, unless that is done already."""
        since = await self._store.unannounced_since(match)
        if since is None:
            return
        table = await self._matches.table(match)
        board = table.stored.panel
        if board is None or not self._posting.reaches(table.stored.place):
            return
        if table.voided and not await self._edit(table, board):
            return
        if table.voided and (second := await self._second_game(table)) is not None:
            await self.refresh(second)  # It tells what the first brought into it, and perhaps ratings.
        try:
            awards = await self._services.awards.new(table)
            await self._result_announcer.announce(table, board, awards)
        except DISCORD_ERRORS as error:
            log.warning("result not announced yet", match=match, error=type(error).__name__)
        else:
            await self._store.announced(match, since)

    async def _redraw(self, table: Table, board: Panel, forced: int) -> Panel | None:
        """Show a match in the message that shows it already, if its players or the server want that; else return None.

        None is also returned if that message is gone. Raises DISCORD_ERRORS if it may succeed later.
        """
        place = Place(table.stored.place.guild, board.channel)
        if not self._posting.reaches(place) or not await in_place(table, self._preferences):
            return None
        theme = await self._preferences.board_theme(table)
        view = await self._panel(table, theme, forced=forced)
        try:
            await self._posting.redraw(place, board.message, view, await board_picture(table, theme))
        except DISCORD_ERRORS as error:
            if is_temporary(error):
                raise
            return None
        return Panel(board.channel, board.message, table.plies)

    async def _post(self, table: Table, forced: int, notify: Iterable[DiscordId], once: str | None) -> Panel:
        place = table.stored.place
        try:
            try:
                return await self._send(table, place, forced, notify, once)
            except discord.NotFound:
                if place.parent is None:
                    raise
            # The thread of the game was deleted: the game goes on in the channel where it began.
            await self._store.move(table.id, place.parent, None)
            place = Place(place.guild, place.parent)
            return await self._send(table, place, forced, notify, once)
        except discord.Forbidden:
            missing = await self._permission_alerts.report(place)
            reason = f"I may not post the board in <#{place.channel}>: {missing}."
        except discord.NotFound:
            reason = "the channel of this game is gone, so I cannot post its board."
        self._refused.add(table.id, table.stored.place)
        raise Refused(f"What you did counts, but {reason}")

    async def _send(
        self, table: Table, place: Place, forced: int, notify: Iterable[DiscordId], once: str | None
    ) -> Panel:
        theme = await self._preferences.board_theme(table)
        file = await board_picture(table, theme)
        view = await self._panel(table, theme, forced=forced)
        message = await self._posting.at(place).send(view=view, file=file, notify=notify, once=once)
        return Panel(place.channel, message, table.plies)

    async def _edit(self, table: Table, board: Panel) -> bool:
        """Replace the text and the controls under the newest board of a match; see PostTarget.edit."""
        place = table.stored.place
        theme = await self._preferences.board_theme(table)
        forced = await self._matches.by_itself(table)
        target = self._posting.at(Place(place.guild, board.channel))
        return await target.edit(board.message, await self._panel(table, theme, forced=forced))

    async def _panel(self, table: Table, theme: str, *, forced: int) -> ui.LayoutView:
        awards, changes = await self._services.awards.new(table), await self._services.ratings.changes(table)
        announced = None if table.match.over else self._services.administration.announcement
        return panel(
            table, theme, live=True, forced=forced, awards=awards, changes=changes, announced=announced
        )


def _maybe(table: Table | None, left_to_do: Callable[[Surroundings], bool]) -> bool:
    """True unless what was read with a match says that this is not to be done."""
    return table is None or table.stored.around is None or left_to_do(table.stored.around)
