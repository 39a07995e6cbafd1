"""Bans: how a banned member or server is recognized, and whether a ban is active."""

from collections.abc import Collection
from datetime import datetime
from hashlib import sha256

from bot.app.system import Clock
from db.stores.administration import AdministrationStore
from db.values.administration import Ban
from db.values.places import DiscordId

SERVER_BANNED = "the bot may not be used in this server"
"""The reason that is stored for the end of a game whose server was banned, in the place of a moderator's."""


def digest_of_member(user: DiscordId) -> str:
    """Return the text by which a banned member is recognized, also after their id is deleted."""
    return _digest("member", user)


def digest_of_server(guild: DiscordId) -> str:
    """Return the text by which a banned server is recognized."""
    return _digest("server", guild)


def is_active(ban: Ban, now: datetime) -> bool:
    """Return True if a ban is not over."""
    return ban.until is None or ban.until > now


async def banned_among(
    store: AdministrationStore, clock: Clock, users: Collection[DiscordId]
) -> set[DiscordId]:
    """Return those of these members who are banned."""
    by_digest = {digest_of_member(user): user for user in users}
    return {by_digest[digest] for digest in await store.banned(clock.now(), by_digest)}


def _digest(kind: str, number: DiscordId) -> str:
    return sha256(f"pencilbox ban of {kind} {number}".encode()).hexdigest()
