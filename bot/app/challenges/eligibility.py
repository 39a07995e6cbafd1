"""Checks of who may play with whom, and what may be played where. Each raises Refused with a sentence for the asker.

A blocked member must not learn that they are blocked, so they are told the same as if no challenges were accepted. The
same is told of members who are banned from the bot.
"""

from collections.abc import Collection

from bot.app.bans import banned_among
from bot.app.challenges.limits import check_channel, check_running
from bot.app.errors import Refused
from bot.app.matches.listed import played_by
from bot.app.mentions import mention
from bot.app.system import Clock
from db.store import Store
from db.values.members import is_computer
from db.values.places import DiscordId, Place
from db.values.servers import ServerSettings
from rules.games import find


async def check_asking(store: Store, clock: Clock, user: DiscordId, asked: Collection[DiscordId]) -> None:
    """Check that `user` may challenge these members."""
    await _check_own_blocks(store, user, asked)
    unwilling = {
        *await store.members.blockers(user, asked),
        *await banned_among(store.administration, clock, asked),
    }
    for member in await store.members.get_all(asked):
        if member.away_until is not None and member.away_until > clock.now():
            unwilling.add(member.user)
    if unwilling:
        names = " and ".join(mention(other) for other in asked if other in unwilling)
        takes = "takes" if len(unwilling) == 1 else "take"
        raise Refused(f"{names} {takes} no challenges at present.")


async def check_joining(store: Store, user: DiscordId, players: Collection[DiscordId]) -> None:
    """Check that `user` may play with these members."""
    await _check_own_blocks(store, user, players)
    if await store.members.blockers(user, players):
        raise Refused("You cannot join this game; start one of your own with `/challenge`.")


async def check_running_games(
    store: Store, place: Place, users: Collection[DiscordId], asker: DiscordId
) -> None:
    """Check that these members have room for another running game, and so has the channel."""
    check_channel(len(await store.lists.running_in(place.channel)))
    for user in users:
        if not is_computer(user):
            check_running(user, asker, place.channel, await played_by(store, user))


async def check_place(store: Store, place: Place, game: str) -> None:
    """Check that a game may be started at a place."""
    if place.guild is None:
        return
    settings = await store.servers.settings(place.guild)
    if settings.channels and not {place.channel, place.parent} & set(settings.channels):
        where = ", ".join(f"<#{channel}>" for channel in settings.channels)
        raise Refused(f"In this server games are played in {where}.")
    _check_offered(settings, game)


async def check_game(store: Store, place: Place, game: str) -> None:
    """Check that a game is offered at a place."""
    if place.guild is not None:
        _check_offered(await store.servers.settings(place.guild), game)


def _check_offered(settings: ServerSettings, game: str) -> None:
    if game in settings.withheld:
        title = find(game).sheet.title
        raise Refused(f"{title} is not offered in this server; choose another game.")


async def _check_own_blocks(store: Store, user: DiscordId, others: Collection[DiscordId]) -> None:
    blocked = set(await store.members.blocked(user)) & set(others)
    if blocked:
        names = " and ".join(mention(other) for other in others if other in blocked)
        raise Refused(f"You have blocked {names}; `/unblock` lets you play together again.")
