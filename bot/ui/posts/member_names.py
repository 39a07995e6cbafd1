"""Names of members for pictures and in the place of mentions, and the recognition of deleted accounts.

Names are stored nowhere. Discord shows the members of another server as unknown users, so texts name them.
"""

import asyncio
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import discord
import structlog
from discord import ui
from discord.utils import escape_markdown

from bot.app.matches.loaded import LoadedMatch
from bot.app.members.preferences import Preferences
from bot.app.mentions import mention, persona_name
from bot.app.services import Services
from bot.app.tasks.rounds import TryLater
from bot.ui.posts.clients import Clients
from bot.ui.posts.requests import DISCORD_ERRORS
from db.values.members import is_person
from db.values.places import DiscordId

log = structlog.get_logger()

Names = tuple[str, ...]
"""The names of a member, the best first: in the server, everywhere, and the unique one."""

PATIENCE = 2.0
"""Seconds for which a picture waits for names. Names that arrive later are left out."""
REMEMBERED_FOR = 600.0
"""Seconds for which names are cached, so that turning pages does not request them again."""
MOST = 10_000
"""Size of the cache of names. A full cache is emptied."""

UNKNOWN_USER = 10013
"""Error code of Discord for an id that no user has."""


@dataclass(frozen=True, slots=True)
class _Known:
    names: Names
    until: float


class MemberNames:
    """Reads the names of members from Discord, except of members who chose not to be listed."""

    def __init__(self, clients: Clients, preferences: Preferences) -> None:
        self._clients = clients
        self._preferences = preferences
        self._known: dict[tuple[DiscordId | None, DiscordId], _Known] = {}

    async def of(self, guild: DiscordId | None, users: Collection[DiscordId]) -> dict[DiscordId, Names]:
        """Return the known names of these users in a server; without a server, the names that they chose everywhere."""
        found: dict[DiscordId, Names] = {
            user: (persona_name(user) or mention(user),) for user in users if not is_person(user)
        }
        people = [user for user in users if user not in found]
        unlisted = await self._preferences.unlisted(people)
        people = [user for user in people if user not in unlisted]
        now = asyncio.get_running_loop().time()
        asking = [
            user
            for user in people
            if (guild, user) not in self._known or self._known[guild, user].until < now
        ]
        if asking:
            try:
                async with asyncio.timeout(PATIENCE):
                    await self._ask(guild, asking)
            except TimeoutError:
                log.info("names.lookup_timed_out", missing=len(asking))
        return found | {user: it.names for user in people if (it := self._known.get((guild, user)))}

    async def _ask(self, guild: DiscordId | None, users: Iterable[DiscordId]) -> None:
        left = set(users)
        server = self._clients.get_guild(guild)
        if server is not None:
            for member in await _members(server, left):
                self._remember(guild, member.id, _names(member))
                left.discard(member.id)
        # These members have left the server, or are members of other servers on a global leaderboard.
        await asyncio.gather(*(self._ask_for_user(guild, user) for user in left))

    async def _ask_for_user(self, guild: DiscordId | None, user: DiscordId) -> None:
        try:
            found = await self._clients.fetch_user(user)
        except DISCORD_ERRORS as error:
            if isinstance(error, discord.HTTPException) and error.code == UNKNOWN_USER:
                self._remember(guild, user, ())
            else:
                log.info("name.lookup_failed", error=type(error).__name__)
        else:
            self._remember(guild, user, _names(found))

    def _remember(self, guild: DiscordId | None, user: DiscordId, names: Names) -> None:
        if len(self._known) >= MOST:
            self._known.clear()
        self._known[guild, user] = _Known(names, asyncio.get_running_loop().time() + REMEMBERED_FOR)


async def _members(server: discord.Guild, users: Collection[DiscordId]) -> list[discord.Member]:
    """Return the users who are members of a server, by one request that needs no privileged intent."""
    try:
        return await server.query_members(user_ids=list(users), limit=len(users), cache=False)
    except (discord.ClientException, *DISCORD_ERRORS) as error:
        log.info("names.lookup_failed", guild=server.id, error=type(error).__name__)
        return []


def _names(user: discord.User | discord.Member) -> Names:
    return tuple(dict.fromkeys((user.display_name, user.global_name or user.name, user.name)))


DELETED_NAME = re.compile(r"deleted_user_[0-9a-f]{6,}|Deleted User( [0-9a-f]{6,})?")
"""The user names that Discord gives to deleted accounts. No field says that an account is deleted."""


async def is_deleted(clients: Clients, user: DiscordId) -> bool:
    """Return True if the account of a member has all signs of deletion. Raises TryLater if Discord does not respond.

    A member could choose such a user name, but hardly without a display name and an avatar. An account that is unknown
    to Discord does not count as deleted, because a wrong response of this kind would affect all members.
    """
    try:
        found = await clients.fetch_user(user)
    except discord.NotFound:
        return False
    except DISCORD_ERRORS as error:
        raise TryLater("the account could not be looked up") from error
    unnamed = found.global_name is None and found.avatar is None
    return unnamed and DELETED_NAME.fullmatch(found.name) is not None


_MENTION = re.compile(r"<@([0-9]+)>")


async def names_of_strangers(
    names: MemberNames, guild: DiscordId | None, users: Collection[DiscordId]
) -> dict[DiscordId, str]:
    """Return what a message calls these members of another server: their name there, or "a player".

    Texts may set it in bold themselves.
    """
    people = [it for it in users if is_person(it)]
    known = await names.of(guild, people) if people else {}
    return {it: escape_markdown(found[0]) if (found := known.get(it)) else "a player" for it in people}


async def strangers_in(
    services: Services, names: MemberNames, loaded: LoadedMatch, guild: DiscordId | None
) -> dict[DiscordId, str]:
    """Return what messages in a server call the players of a game who play for another server."""
    return await names_of_strangers(names, *await services.server_matches.strangers(loaded, guild))


async def names_of_opponents(
    names: MemberNames, servers: Mapping[DiscordId, DiscordId]
) -> dict[DiscordId, str]:
    """Return what a message calls members of other servers, whose servers are given."""
    known: dict[DiscordId, str] = {}
    for there in set(servers.values()):
        known |= await names_of_strangers(names, there, [it for it in servers if servers[it] == there])
    return known


def mentioned_in(*texts: str) -> set[DiscordId]:
    """Return the members whom texts mention."""
    return {int(it) for text in texts for it in _MENTION.findall(text)}


def without_mentions(text: str, names: Mapping[DiscordId, str]) -> str:
    """Return a text with these names in the place of mentions."""
    return _MENTION.sub(lambda found: names.get(int(found[1]), found[0]), text)


def name_strangers(view: ui.LayoutView, names: Mapping[DiscordId, str]) -> None:
    """Put these names in the place of mentions in the texts of a message."""
    for item in texts_of(view):
        item.content = without_mentions(item.content, names)


def texts_of(view: ui.View | ui.LayoutView | None) -> list[ui.TextDisplay[Any]]:
    """Return the texts of a message."""
    items = [] if view is None else view.walk_children()
    return [item for item in items if isinstance(item, ui.TextDisplay)]
