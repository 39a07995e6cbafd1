"""Matches between two servers: proposing, accepting, the line-ups, and what those who run a server may do.

A match is an event that a manager proposes. Its code lets a manager of another server accept. Members join on the card
in their own server. From the start on it is played like other events, each game with a board in both servers.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from bot.app.challenges.limits import MOST_IN_CHANNEL, check_admitted, check_place
from bot.app.errors import Refused
from bot.app.events.events import GONE, Events
from bot.app.events.line_ups import boards_of, games_to_come, is_full, score_of, side_of
from bot.app.events.schedule import WAITS
from bot.app.matches.loaded import LoadedMatch
from bot.app.mentions import mention
from bot.app.system import Chance, Clock
from db.store import Store
from db.values.events import (
    Correction,
    Deed,
    Entrant,
    Event,
    EventChange,
    EventState,
    NewEvent,
    Summary,
    Terms,
    Versus,
)
from db.values.members import Notice
from db.values.places import DiscordId, Place
from rules.games import find

BOARDS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20)
"""The numbers of boards that a match may have."""
MOST_OPEN = 3
"""Matches of one server that are open or running."""
DIGITS = 10
"""Hexadecimal digits of the code of a match."""
VALID = timedelta(days=7)
"""The time for which a match can be accepted."""
STARTED = "This match has started, so nobody can join it any more."
UNWELCOME = "You cannot play in this match."
"""The refusal of a member whom the other server has excluded, or who and a player have a block between them."""


class ServerMatches:
    """The service of matches between two servers. Methods raise Refused; then nothing was changed."""

    def __init__(self, store: Store, clock: Clock, chance: Chance, events: Events) -> None:
        self._store = store
        self._clock = clock
        self._chance = chance
        self._events = events

    async def propose(
        self, place: Place, organiser: DiscordId, terms: Terms, games: int, starts_in: timedelta | None
    ) -> Event:
        """Open a match that another server can accept by its code. The caller checks permissions.

        It starts after `starts_in` or, if that is None, when both line-ups are full.
        """
        await self._check(place, terms)

        def check(others: Sequence[Summary], running: int) -> None:
            if sum(it.games is not None for it in others) >= MOST_OPEN:
                raise Refused(
                    f"{MOST_OPEN} matches are open or running in this server; propose one when one of them is over."
                )
            if running + games_to_come(others, place) + terms.most // 2 * games > MOST_IN_CHANNEL:
                raise Refused(
                    f"The games of this match would be more than {MOST_IN_CHANNEL} in this channel; open it in another"
                    " channel."
                )

        now = self._clock.now()
        starts_at = None if starts_in is None else now + starts_in
        versus = Versus(games, self._chance.salt()[-DIGITS:])
        new = NewEvent(place, organiser, terms, starts_at, starts_at or now + WAITS, now, versus=versus)
        return await self._events.load(await self._store.events.add(new, check))

    async def proposed(self, code: str, place: Place) -> Event | None:
        """Return the match with this code, which the server of a place may accept; None if no match has the code."""
        found = await self._store.events.with_code(code.strip().lower())
        if found is None or found.state is not EventState.OPEN or self._clock.now() - found.made_at > VALID:
            return None
        if found.place.guild == place.guild:
            raise Refused("This code is from this server; somebody who manages another server must enter it.")
        await self._check(place, found.terms)
        return found

    async def accept(self, code: str, place: Place) -> Event:
        """Accept a match, which is then also shown at a place of the server that accepts it."""

        async def accepting(event: Event) -> EventChange:
            if event.versus is None or event.versus.place is not None or event.state is not EventState.OPEN:
                raise Refused("This match was accepted already; ask for a new code.")
            return EventChange(guests=place)

        found = await self.proposed(code, place)
        if found is None:
            raise Refused("This code was used already; ask for a new one.")
        return await self._events.change(found.id, accepting)

    def side(self, guild: DiscordId | None) -> "Side":
        """Return what members may do in a server, for the side of that server."""
        return Side(self._store, self._clock, self._events, guild)

    async def notified_in(
        self,
        loaded: LoadedMatch,
        guild: DiscordId | None,
        by_notice: dict[Notice, list[DiscordId]],
    ) -> dict[Notice, list[DiscordId]]:
        """Return the users whom the board in a server notifies: those who play for it.

        If the other server has removed the bot, its players get direct messages.
        """
        other, strangers = await self.strangers(loaded, guild)
        found = {notice: [it for it in users if it not in strangers] for notice, users in by_notice.items()}
        if other is not None and await self._store.servers.gone([other]):
            for notice in (Notice.PING, Notice.DIRECT):
                found[Notice.DIRECT] += [it for it in by_notice[notice] if it in strangers]
        return found

    async def strangers(
        self, loaded: LoadedMatch, guild: DiscordId | None
    ) -> tuple[DiscordId | None, frozenset[DiscordId]]:
        """Return the other server of a match between servers, and the players of a game who play for that one.

        Return None and no players for other games.
        """
        shared = await self.guests(loaded)
        if shared is None:
            return None, frozenset()
        there, guests = shared
        if guild == there.guild:
            return loaded.stored.place.guild, frozenset(loaded.stored.users) - guests
        return there.guild, guests

    async def guests(self, loaded: LoadedMatch) -> tuple[Place, frozenset[DiscordId]] | None:
        """Return the place of the guests and their players in a game of a match between servers; else None."""
        if not loaded.between_servers:
            return None
        return await self._store.events.guests_of(loaded.id)

    async def _check(self, place: Place, terms: Terms) -> None:
        """Raise Refused unless a match on these terms may be played at a place."""
        if place.guild is None:
            raise Refused("A match takes place in a server of which I am a member.")
        find(terms.game).check(dict(terms.options), 2)
        await check_place(self._store, place, terms.game)


class Side:
    """What members may do for one of the two servers of a match. Methods raise Refused; then nothing was changed."""

    def __init__(self, store: Store, clock: Clock, events: Events, guild: DiscordId | None) -> None:
        self._store = store
        self._clock = clock
        self._events = events
        self._guild = guild

    async def join(self, event: int, user: DiscordId) -> Event:
        """Let a member join the line-up of this server."""

        async def joining(found: Event) -> EventChange:
            guest = self._guest(found)
            await self._check_joining(found, user, guest=guest)
            entrant = Entrant(found.next_number, user, guest=guest)
            full = is_full(replace(found, entrants=(*found.entrants, entrant)))
            starts = full and found.starts_at is None
            return EventChange(joined=[entrant], due_at=self._clock.now() if starts else None)

        return await self._events.change(event, joining)

    async def remove(self, event: int, by: DiscordId, whom: DiscordId, *, moderator: bool) -> Event:
        """Remove a player of this server for a moderator or the organiser. Their running games are lost."""

        async def removing(found: Event) -> EventChange:
            guest = self.check_manager(found, by, moderator=moderator)
            entrant = found.entrant(whom)
            if entrant is None or entrant.guest is not guest:
                raise Refused(
                    f"{mention(whom)} does not play for this server; you can remove its own players."
                )
            return self._events.leaving(found, entrant, self._events.deed(Deed.REMOVED, by, whom))

        return await self._events.change(event, removing)

    async def correct(
        self, event: int, by: DiscordId, match: int, result: Correction | None, *, moderator: bool
    ) -> Event:
        """Correct the result of a finished game for a moderator or the organiser, in favour of the other server."""

        async def correcting(found: Event) -> EventChange:
            guest = self.check_manager(found, by, moderator=moderator)
            change, corrected = self._events.correction(found, by, match, result)
            before, after = score_of(boards_of(found)), score_of(boards_of(corrected))
            if after[guest] > before[guest] or (after[guest] == before[guest] and after <= before):
                raise Refused("You can correct a result in favour of the other server only.")
            return change

        return await self._events.change(event, correcting)

    async def end(self, event: int, by: DiscordId, *, moderator: bool) -> Event:
        """Call off a match before its start. One that runs cannot be ended, since a server that loses would do so."""

        async def withdrawing(found: Event) -> EventChange:
            self.check_manager(found, by, moderator=moderator)
            if found.state is not EventState.OPEN:
                raise Refused(
                    "This match has started, so one server cannot end it; a player who is removed loses their games."
                )
            return EventChange(state=EventState.CANCELLED, deeds=[self._events.deed(Deed.ENDED, by)])

        return await self._events.change(event, withdrawing)

    def check_manager(self, event: Event, user: DiscordId, *, moderator: bool) -> bool:
        """Raise Refused unless a member may act for this server in a match. Return True if it is the guests'."""
        guest = self._guest(event)
        if not moderator and (guest or user != event.organiser):
            raise Refused(
                "Only moderators with the permission Manage Messages or Manage Server can act for their server."
            )
        return guest

    async def _check_joining(self, found: Event, user: DiscordId, *, guest: bool) -> None:
        """Raise Refused unless a member may join a line-up now."""
        if found.state is not EventState.OPEN:
            raise Refused(STARTED)
        if (entrant := found.entrant(user)) is not None and entrant.guest is not guest:
            raise Refused("You play for the other server in this match; you cannot play for both.")
        self._events.check_outside(found, user)
        if len(side_of(found, guest=guest)) >= 2 * found.boards:
            raise Refused("The line-up of this server and its reserves are full.")
        await check_admitted(self._store, self._guild, (user,), user)
        opponents = [it.user for it in side_of(found, guest=not guest)]
        for guild in found.servers:
            if user in await self._store.servers.excluded(guild):
                raise Refused(UNWELCOME)
        await self._events.check_able(user, opponents, UNWELCOME, "match")

    def _guest(self, found: Event) -> bool:
        """Return True if this server is that of the guests, False if it is the hosts'. Raises Refused otherwise."""
        if found.versus is None or self._guild is None or self._guild not in found.servers:
            raise Refused(GONE)
        return self._guild != found.place.guild
