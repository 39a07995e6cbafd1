"""The agenda of a member: what waits for them, what they wait for, and what else is played in their channel."""

from dataclasses import dataclass
from datetime import datetime

from bot.app.challenges.challenges import Challenges
from bot.app.challenges.limits import MOST_PLAYED_HERE
from bot.app.matches.listed import Listed
from bot.app.matches.loaded import LoadedMatch
from bot.app.matches.matches import Matches
from bot.app.proposals import Proposals
from bot.app.votes import Ballot
from db.values.challenges import Challenge, Reply
from db.values.events import Event
from db.values.places import DiscordId, Place
from db.values.proposals import Proposal

WATCHED = 100
"""The most matches of others that an agenda holds."""


@dataclass(frozen=True, slots=True)
class Due:
    """A match that waits for a member: since when, and until which deadline (None without a clock)."""

    loaded: Listed
    since: datetime
    until: datetime | None


@dataclass(frozen=True, slots=True)
class Agenda:
    """The agenda of a member. `due` is sorted by deadline, then by waiting time; the rest is oldest first.

    Of the challenges that concern the member, those in the channel in which they ask come first.
    """

    user: DiscordId
    due: tuple[Due, ...]
    asked: tuple[Challenge, ...]
    """Challenges that wait for the member's answer."""
    proposed: tuple[tuple[Proposal, LoadedMatch], ...]
    """Draws and takebacks that wait for the member's answer, each with its match."""
    waiting: tuple[Listed, ...]
    """Matches in which it is somebody else's turn."""
    sent: tuple[Challenge, ...]
    """Challenges that wait for the answers of others."""
    joinable: tuple[Challenge, ...]
    """Games in this channel that the member may join."""
    watching: tuple[Listed, ...]
    """The oldest matches of others in this channel, at most WATCHED."""
    archived: tuple[Listed, ...] = ()
    """Casual games against computers that the member has let lie, the longest forgotten first."""
    offers: tuple[Challenge, ...] = ()
    """Standing offers of others in this server, also in channels that the member may not see."""
    offering: tuple[Challenge, ...] = ()
    """The standing offers of the member."""
    followed: tuple[LoadedMatch, ...] = ()
    """Matches of others that the member follows; left out where they are not asked for."""
    events: tuple[Event, ...] = ()
    """Cups in which the member takes part and that are not over; left out where they are not asked for."""
    ballots: tuple[Ballot, ...] = ()
    """Vote games in which the member has voted; left out where they are not asked for."""


async def agenda(
    matches: Matches, challenges: Challenges, proposals: Proposals, user: DiscordId, place: Place
) -> Agenda:
    """Collect the agenda of `user`, who asks in the channel of `place`."""
    mine, archived = await matches.by_hand(user)
    here = await matches.here(place.channel, WATCHED + MOST_PLAYED_HERE)
    waiting = [loaded for loaded in mine if user in loaded.waiting_for]
    due = [Due(loaded, loaded.since(user), loaded.until(user)) for loaded in waiting]
    due.sort(key=lambda it: (it.until is None, it.until or it.since))
    offers = await challenges.waiting(user)
    offers.sort(key=lambda offer: offer.place.channel != place.channel)
    asked = [offer for offer in offers if offer.reply_of(user) is Reply.ASKED]
    return Agenda(
        user=user,
        due=tuple(due),
        asked=tuple(asked),
        proposed=tuple(await proposals.waiting(user)),
        waiting=tuple(loaded for loaded in mine if user not in loaded.waiting_for),
        sent=tuple(offer for offer in offers if offer not in asked and offer.standing is None),
        joinable=tuple(await challenges.joinable(user, place)),
        offers=tuple(await challenges.standing(user, place)),
        offering=tuple(offer for offer in offers if offer.standing is not None),
        watching=tuple(loaded for loaded in here if user not in loaded.stored.users)[:WATCHED],
        archived=archived,
    )
