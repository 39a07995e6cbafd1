"""Members who follow the matches of others: they are told of the end, or also of the moves."""

from datetime import timedelta

from bot.app.errors import Refused
from bot.app.matches.listed import readable
from bot.app.matches.loaded import LoadedMatch
from bot.app.matches.matches import Matches
from bot.app.system import Clock
from db.store import Store
from db.values.places import DiscordId, Place

MOST_FOLLOWED = 20
"""The most matches that one member follows."""
MOST_FOLLOWERS = 100
"""The most members who follow one match."""
PAUSE = timedelta(minutes=1)
"""The time from a move to the message about it, which also tells of the moves played meanwhile."""


class Followers:
    """The service of those who follow matches. Methods raise Refused; then nothing was changed."""

    def __init__(self, store: Store, clock: Clock, matches: Matches) -> None:
        self._store = store
        self._clock = clock
        self._matches = matches

    async def check(self, match: int, user: DiscordId, place: Place) -> tuple[LoadedMatch, bool | None]:
        """Return a match that `user` may follow from `place`, and what they follow of it now.

        That is True for its moves, False for its end, and None for nothing.
        """
        loaded = await self._matches.visible(match, user, place)
        if loaded.match.over:
            raise Refused(f"{loaded.name} is over.")
        if loaded.seat_of(user) is not None:
            raise Refused(f"You play in {loaded.name}, so you are told of your turns anyway.")
        if loaded.stored.place.guild is None:
            raise Refused("Only games in a server of which I am a member can be followed.")
        return loaded, await self._store.followers.wants_moves(match, user)

    async def follow(self, match: int, user: DiscordId, place: Place, *, moves: bool) -> LoadedMatch:
        """Let `user` follow a match, with `moves` also its moves."""
        loaded, followed = await self.check(match, user, place)
        if followed is None:
            if await self._store.followers.count(user) >= MOST_FOLLOWED:
                raise Refused(
                    f"You follow {MOST_FOLLOWED} games, which is the most; stop following one in `/games`."
                )
            if loaded.stored.context.followers >= MOST_FOLLOWERS:
                raise Refused(f"{MOST_FOLLOWERS} members follow {loaded.name} already, which is the most.")
        if not await self._store.followers.follow(match, user, moves=moves):
            raise Refused(f"{loaded.name} is over.")
        return loaded

    async def stop(self, match: int, user: DiscordId) -> LoadedMatch:
        """Let `user` no longer follow a match."""
        if not await self._store.followers.stop(match, user):
            raise Refused("You do not follow this game.")
        return await self._matches.load(match)

    async def of(self, user: DiscordId) -> tuple[LoadedMatch, ...]:
        """Return the matches that `user` follows, oldest first."""
        return readable(await self._store.followers.matches(user))

    async def tell(self, loaded: LoadedMatch) -> None:
        """Queue the messages to those who follow a match, of which something new is shown to everybody."""
        now, guild = self._clock.now(), loaded.stored.place.guild
        if loaded.match.over:
            await self._store.followers.tell_end(loaded.id, guild, now)
        else:
            await self._store.followers.tell_moves(loaded.id, guild, now + PAUSE)
