"""Showing boards: every move gets one new message, the panel before it loses its controls, and nothing is lost
when Discord is away: what could not be shown is shown later."""

import asyncio
from collections import defaultdict
from collections.abc import Iterable

import discord
import structlog
from discord import ui

from bot.app.errors import Refused
from bot.app.matches.table import Table
from bot.app.matches.takebacks import back
from bot.app.services import Services
from bot.ui.kit.pictures import board_picture
from bot.ui.kit.posting import DISCORD_ERRORS
from bot.ui.kit.services import Kit
from bot.ui.matches.panel import panel, shown_by
from bot.ui.matches.result_announcer import ResultAnnouncer
from bot.ui.matches.threads import Threads
from db.api.matches import Panel, StoredMatch
from db.api.members import Notice
from db.api.places import DiscordId, Place, former

log = structlog.get_logger()


class BoardPoster:
    """Posts the panels of matches. A match is shown by one task at a time, so panels never overtake each other."""

    def __init__(self, client: discord.Client, services: Services, kit: Kit) -> None:
        self._services = services
        self._store = services.store
        self._matches = services.matches
        self._preferences = services.preferences
        self._posting = kit.posting
        self._permission_alerts = kit.permission_alerts
        self._turn_notices = kit.turn_notices
        self._threads = Threads(client, services, kit)
        self._result_announcer = ResultAnnouncer(services, kit)
        self._busy: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._barred: dict[int, str] = {}
        """By match that could not be shown, what was known to be missing then."""
        self._told: dict[int, int] = {}
        """By match that waits to be shown: how far it was when its players were written to."""

    async def show(self, match: int, *, again: bool = False) -> None:
        """Post the board of a match as it stands, unless its panel shows that already (`again`: even then).

        Where the bot is not, that waits until somebody acts there, and who is called is written to meanwhile. Raises
        Refused when the bot may not post there, and Discord's errors when it is away.
        """
        lock = self._busy[match]
        async with lock:
            table = await self._matches.table(match)
            before = table.stored.panel
            if before is None and await self._threads.move(table):
                table = await self._matches.table(match)
            if before is not None and not again:
                if before.plies >= table.plies:
                    await self._tell(match)
                    return
                if table.back_to(before.plies).shown == table.shown:
                    # Only hidden moves since: a new board would tell of them.
                    await self._store.show(match, Panel(before.channel, before.message, table.plies))
                    return
            alone = await self._matches.by_itself(table)
            users = () if again else _called(table, before, alone)
            if not self._posting.at(table.stored.place).open:
                if self._told.get(match) != table.plies:
                    self._told[match] = table.plies
                    await self._turn_notices.write_instead(table, users)
                return
            self._told.pop(match, None)
            called = await self._turn_notices.by_notice(users)
            once = None if again else f"board {match} {table.shown} {table.stored.started_at}"
            shown = await self._post(table, alone, called[Notice.PING], once)
            self._barred.pop(match, None)
            await self._store.show(match, shown)
            await self._turn_notices.write(table, shown, called[Notice.DIRECT])
            if before is not None:
                await self._quiet(table, before)
            if table.match.over and not again:
                await self._tell(match)
        if not lock.locked() and table.match.over:
            self._busy.pop(match, None)

    async def refresh(self, match: int) -> None:
        """Mend what the panel of a match says of its clocks and its players, without calling anybody."""
        async with self._busy[match]:
            table = await self._matches.table(match)
            old = table.stored.panel
            if old is None or old.plies < table.plies:
                return  # it will be shown as it stands
            await self._edit(table, table, old, live=True)

    async def permissions_changed(self) -> None:
        """Something may have been granted: show what could not be shown."""
        if self._barred:
            await self.catch_up()

    async def catch_up(self) -> None:
        """Show every board that is behind its match, and tell what was not told: after a restart, or after Discord
        was away."""
        for stored in await self._store.unshown():
            if self._posting.reaches(stored.place):
                await self._try(stored)
        await self.decided(await self._store.unannounced())

    async def decided(self, matches: Iterable[int]) -> None:
        """Show, and tell, what was decided without anybody acting."""
        for match in matches:
            if (stored := await self._store.load(match)) is not None:
                await self._try(stored)

    async def deliver(self, place: Place) -> None:
        """Show with the interaction that is being answered what could not be shown at its place before."""
        for stored in await self._store.unshown(place.channel):
            await self._try(stored)

    async def mend(self, place: Place, message: discord.Message) -> None:
        """Take the controls off a board that was used though it is not the newest of its match."""
        found = shown_by(message)
        if found is None or not self._posting.is_unedited(message.id):
            return
        match, shown = found
        async with self._busy[match]:
            stored = await self._store.load(match)
            if stored is None or stored.panel is None or stored.panel.message == message.id:
                return
            table = Table.of(stored)
            then = (plies for plies in range(table.plies) if table.back_to(plies).shown >= shown)
            await self._quiet(table, Panel(place.channel, message.id, next(then, table.plies)))

    async def _try(self, stored: StoredMatch) -> None:
        """Show a board, now or the next time."""
        if self._barred.get(stored.id) == self._permission_alerts.missing_at(stored.place):
            return  # until somebody at that server has changed what is missing
        try:
            await self.show(stored.id)
        except Refused:
            log.warning("board cannot be shown", match=stored.id, channel=stored.place.channel)
        except DISCORD_ERRORS as error:
            log.warning("board not shown yet", match=stored.id, error=type(error).__name__)

    async def _tell(self, match: int) -> None:
        """Tell how a match that is shown has ended, or that its result was taken back, unless that is told already."""
        since = await self._store.unannounced_since(match)
        if since is None:
            return
        table = await self._matches.table(match)
        board = table.stored.panel
        if board is None or not self._posting.reaches(table.stored.place):
            return
        if table.voided and not await self._edit(table, table, board, live=True):
            return
        try:
            await self._result_announcer.tell(table, board, await self._services.awards.new(table))
        except DISCORD_ERRORS as error:
            log.warning("result not told yet", match=match, error=type(error).__name__)
        else:
            await self._store.announced(match, since)

    async def _post(self, table: Table, alone: int, called: Iterable[DiscordId], once: str | None) -> Panel:
        place = table.stored.place
        try:
            try:
                return await self._send(table, place, alone, called, once)
            except discord.NotFound:
                if place.parent is None:
                    raise
            # Somebody has deleted the game's thread: it goes on in the channel where it was made.
            await self._store.move(table.id, place.parent, None)
            place = Place(place.guild, place.parent)
            return await self._send(table, place, alone, called, once)
        except discord.Forbidden:
            missing = await self._permission_alerts.report(place)
            words = f"I may not post the board in <#{place.channel}>: {missing}."
        except discord.NotFound:
            words = "the channel of this game is gone, so I cannot post its board."
        self._barred[table.id] = self._permission_alerts.missing_at(table.stored.place)
        raise Refused(f"Everything you did counts, but {words}")

    async def _send(
        self, table: Table, place: Place, alone: int, called: Iterable[DiscordId], once: str | None
    ) -> Panel:
        theme = await self._preferences.theme(place)
        file = await board_picture(table, theme)
        view = await self._panel(table, theme, live=True, alone=alone)
        message = await self._posting.at(place).send(view=view, file=file, notify=called, once=once)
        return Panel(place.channel, message, table.plies)

    async def _quiet(self, table: Table, old: Panel) -> None:
        """Take the controls off an old panel."""
        await self._edit(table, table.back_to(old.plies), old, live=False)

    async def _edit(self, table: Table, then: Table, old: Panel, *, live: bool) -> bool:
        """Redraw an old panel; see PostTarget.edit."""
        place = table.stored.place
        theme = await self._preferences.theme(place)
        alone = await self._matches.by_itself(then)
        outlet = self._posting.at(Place(place.guild, old.channel))
        return await outlet.edit(old.message, await self._panel(then, theme, live=live, alone=alone))

    async def _panel(self, table: Table, theme: str, *, live: bool, alone: int) -> ui.LayoutView:
        awards, changes = await self._services.awards.new(table), await self._services.ratings.changes(table)
        return panel(table, theme, live=live, by_itself=alone, awards=awards, changes=changes)


def _called(table: Table, before: Panel | None, alone: int) -> list[DiscordId]:
    """Who is called by a new board: those whose turn has come since the one before; at the end, who did not end it.

    The last `alone` entries played themselves.
    """
    if table.match.over:
        last = table.stored.log[-1 - alone].seat if alone < table.plies else None
        others = (table.stored.users[seat] for seat in table.match.playing if seat != last)
        return [user for user in others if not former(user)]
    if before is None:
        return list(table.waiting_for)
    waited = table.back_to(before.plies).waiting_for
    since = table.stored.log[before.plies :]
    moved = {seat for seat, _ in since}
    return [
        user
        for user in table.waiting_for
        if user not in waited
        or table.seat_of(user) in moved
        or any(back(entry) is not None for entry in since)
    ]
