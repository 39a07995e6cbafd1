"""Leagues: a cup that repeats every month, in each server and for each game for which a manager has enabled it."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta

from bot.app.clocks.time_controls import read_time_control
from bot.app.errors import Refused
from bot.app.events.events import Events
from bot.app.events.pairings import MOST
from bot.app.events.schedule import season_after, season_at, season_start
from bot.app.system import Clock
from bot.app.tasks.rounds import Rounds
from db.store import Store
from db.values.events import NOBODY, Event, EventState, NewEvent, Summary, Terms
from db.values.places import DiscordId, Place
from db.values.servers import ServerSettings
from rules.core.sizes import read_size
from rules.games import find

TASK = "leagues"
"""Name of the task whose items are servers whose leagues are to be opened for the next month."""
OPENS = timedelta(days=7)
"""The time before a month from which on members of a running league can join the next one."""
CLOCKS = ("12h", "1d", "2d")
"""The clocks that a manager can choose."""


class _OpenedMeanwhile(Exception):
    """Another process has opened the same month of a league."""


class Leagues:
    """The service of leagues. It opens them; their months are played as events."""

    def __init__(self, store: Store, clock: Clock, events: Events, rounds: Rounds) -> None:
        self._store = store
        self._clock = clock
        self._events = events
        self._rounds = rounds

    async def round(self) -> None:
        """Open the next month of the leagues that are due in the served servers."""
        due = await self._rounds.limit(TASK)
        servers = await self._store.servers.with_leagues(self._due(), due)
        await self._rounds.each(TASK, servers, self.follow, key=lambda it: it.guild)

    async def follow(self, settings: ServerSettings) -> None:
        """Open the leagues of a server that are due, and cancel those that were disabled before they started.

        A league opens at once for the next month if there is none, and after that a week before each month.
        """
        due, this = self._due(), season_at(self._clock.now())
        coming = season_after(this)
        known = await self._store.events.seasons(settings.guild, this)
        wanted = {} if settings.league_channel is None else dict.fromkeys(settings.leagues)
        for it in known:
            if it.state is EventState.OPEN and it.game not in wanted:
                with suppress(Refused):
                    await self._events.end(it.id, NOBODY, moderator=True)
        for game in wanted:
            seasons = {it.season for it in known if it.game == game}
            waits = this in seasons and due == this
            if coming not in seasons and not waits and game not in settings.withheld:
                await self._open(settings, game, coming)
        await self._store.servers.leagues_opened(settings.guild, due)

    def _due(self) -> str:
        """Return the month for which leagues are to be open now: the next one in its last week before, or this one."""
        return season_at(self._clock.now() + OPENS)

    async def _open(self, settings: ServerSettings, game: str, season: str) -> None:
        assert settings.league_channel is not None
        starts_at = season_start(season)
        found, size = find(game), settings.league_size
        options = tuple(read_size(found, size if size in found.sizes else "").items())
        terms = Terms(game, options, read_time_control(settings.league_clock), rated=True, most=MOST)
        place = Place(settings.guild, settings.league_channel)

        def check(others: Sequence[Summary], running: int) -> None:
            if any((it.game, it.season) == (game, season) for it in others):
                raise _OpenedMeanwhile

        new = NewEvent(place, NOBODY, terms, starts_at, starts_at, self._clock.now(), season)
        with suppress(_OpenedMeanwhile):
            await self._store.events.add(new, check)

    async def of(self, guild: DiscordId, *, last: bool = False) -> list[Event]:
        """Return this month of the leagues of a server, or the month before with `last`, as far as they were played."""
        month = season_after(season_at(self._clock.now()), -last)
        known = await self._store.events.seasons(guild, month)
        found = [await self._events.load(it.id) for it in known if it.season == month]
        return [it for it in found if it.stages]
