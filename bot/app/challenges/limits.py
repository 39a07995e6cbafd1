"""Checks of who may play with whom, what may be played where, and how much one member may ask of others.

Each check raises Refused with a sentence for the member who asked. A blocked member must not learn that they are
blocked, so they are told the same as if no challenges were accepted. The same applies to members who are banned.
"""

from collections.abc import Collection, Sequence
from datetime import timedelta

from bot.app.bans import banned_among
from bot.app.errors import Refused
from bot.app.matches.listed import Listed, played_by
from bot.app.mentions import mention, mentions
from bot.app.system import Clock
from db.store import Store
from db.values.challenges import Answer, Challenge, NewChallenge, Reply
from db.values.members import is_computer
from db.values.places import DiscordId, Place
from db.values.servers import ServerSettings
from rules.games import find

DAY = timedelta(days=1)
"""The time for which a challenge that was not accepted counts."""

MOST_HERE = 5
"""Open challenges of one member in one channel."""
MOST_OPEN = 10
"""Open challenges of one member in all channels."""
MOST_PUBLIC = 3
"""Open challenges of one member, in all channels, that anybody may join."""
MOST_ASKED = 5
"""The most challenges of one member to the same member within a day that are not accepted."""
MOST_DECLINED = 2
"""The most challenges of one member that the same member may decline within a day before more are refused."""

MOST_PLAYED_HERE = 50
"""Running games of one member in one channel."""
MOST_PLAYED = 200
"""Running games of one member in all channels."""
MOST_IN_CHANNEL = 500
"""Running games in one channel; a thread is a channel of its own."""


def check_running(user: DiscordId, asker: DiscordId, channel: DiscordId, running: Sequence[Listed]) -> None:
    """Raise Refused, with a sentence for `asker`, if `user`, who plays the `running` matches, may not begin another."""
    here = sum(match.stored.place.channel == channel for match in running)
    if here >= MOST_PLAYED_HERE:
        where = f"{MOST_PLAYED_HERE} games in this channel"
    elif len(running) >= MOST_PLAYED:
        where = f"{MOST_PLAYED} games in all channels"
    else:
        return
    if user == asker:
        raise Refused(f"You are playing {where}; finish or resign one before you begin another.")
    raise Refused(f"{mention(user)} is playing {where}; this game can begin when one of those is over.")


def check_channel(running: int) -> None:
    """Raise Refused if another game may not begin in a channel in which so many are running."""
    if running >= MOST_IN_CHANNEL:
        raise Refused(
            f"{MOST_IN_CHANNEL} games are being played in this channel; begin one in another channel, or when one of"
            " these is over."
        )


def check(new: NewChallenge, made: Sequence[Challenge]) -> None:
    """Raise Refused if `new` exceeds a limit.

    `made` are the challenges of the same member that are open or were closed within a day.
    """
    out = [it for it in made if it.answer is Answer.OPEN and it.standing is None]
    here = [it for it in out if it.place.channel == new.place.channel]
    asked = tuple(it.user for it in new.participants if it.user != new.challenger)
    standing = (it for it in made if it.answer is Answer.OPEN and it.standing is not None)
    if new.public and any((it.terms, it.place) == (new.terms, new.place) for it in standing):
        raise Refused("You have a standing offer of this game here; `/games` shows it again.")
    same = [it for it in here if (it.terms, it.public) == (new.terms, new.public)]
    if new.public and same:
        raise Refused("You have already opened this game here; it waits for others to join.")
    if any(set(it.others) == set(asked) for it in same):
        raise Refused("You have already sent this challenge; it waits for an answer.")
    if len(here) >= MOST_HERE:
        raise Refused(f"You have {MOST_HERE} challenges open here; withdraw one or wait for an answer.")
    if len(out) >= MOST_OPEN:
        raise Refused(
            f"You have {MOST_OPEN} challenges open in all channels; withdraw one or wait for an answer."
        )
    if new.public and sum(it.public for it in out) >= MOST_PUBLIC:
        raise Refused(
            f"You have {MOST_PUBLIC} games open for others to join; close one or wait until one begins."
        )
    for user in asked:
        _check_asking(user, [it for it in made if it.reply_of(user) is not None and not it.public])


def _check_asking(user: DiscordId, made: Sequence[Challenge]) -> None:
    declined = sum(it.reply_of(user) is Reply.DECLINED for it in made)
    if declined >= MOST_DECLINED:
        raise Refused(
            f"{mention(user)} has declined {declined} challenges of yours within a day;"
            " ask again tomorrow, or let them challenge you."
        )
    if sum(it.answer is not Answer.ACCEPTED for it in made) >= MOST_ASKED:
        raise Refused(
            f"You have asked {mention(user)} {MOST_ASKED} times within a day and they have not accepted;"
            " ask again tomorrow, or let them challenge you."
        )


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
        names = mentions(other for other in asked if other in unwilling)
        takes = "takes" if len(unwilling) == 1 else "take"
        raise Refused(f"{names} {takes} no challenges at present.")


async def takes_none(store: Store, clock: Clock, users: Collection[DiscordId]) -> set[DiscordId]:
    """Return those of these members who are away or banned, or take no challenges at present."""
    now = clock.now()
    found = {it.user for it in await store.members.get_all(users) if it.takes_no_challenges(now)}
    return found | await banned_among(store.administration, clock, users)


async def check_joining(store: Store, user: DiscordId, players: Collection[DiscordId]) -> None:
    """Check that `user` may play with these members."""
    await _check_own_blocks(store, user, players)
    if await store.members.blockers(user, players):
        raise Refused("You cannot join this game; start one of your own with `/challenge`.")


async def check_admitted(
    store: Store, guild: DiscordId | None, users: Collection[DiscordId], asker: DiscordId
) -> None:
    """Check that a server has excluded none of these members from its games."""
    if guild is None:
        return
    excluded = set(await store.servers.excluded(guild)) & set(users)
    if asker in excluded:
        raise Refused("You are excluded from the games of this server; those who manage it can tell you why.")
    if excluded:
        names = mentions(user for user in users if user in excluded)
        raise Refused(f"{names} cannot take part in games of this server; challenge somebody else.")


async def check_running_games(
    store: Store, place: Place, users: Collection[DiscordId], asker: DiscordId
) -> None:
    """Check that these members have room for another running game, and so has the channel."""
    check_channel(len(await store.lists.running_in(place.channel)))
    for user in users:
        if not is_computer(user):
            running = await played_by(store, user)
            check_running(user, asker, place.channel, [it for it in running if not it.casual(user)])


async def check_place(store: Store, place: Place, game: str) -> None:
    """Check that a game may be started at a place."""
    if place.guild is None:
        return
    settings = await store.servers.settings(place.guild)
    if not is_for_games(settings, place):
        where = ", ".join(f"<#{channel}>" for channel in settings.channels)
        raise Refused(f"In this server games are played in {where}.")
    _check_offered(settings, game)


def is_for_games(settings: ServerSettings, place: Place) -> bool:
    """Return True if a server wants games at a place."""
    return not settings.channels or bool({place.channel, place.parent} & set(settings.channels))


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
        names = mentions(other for other in others if other in blocked)
        raise Refused(f"You have blocked {names}; `/preferences` lets you unblock them.")
