"""Limits: on what one member may ask of others, where accepted challenges do not count, and on running games."""

from collections.abc import Sequence
from datetime import timedelta

from bot.app.errors import Refused
from bot.app.matches.listed import Listed
from bot.app.mentions import mention
from db.values.challenges import Answer, Challenge, NewChallenge, Reply
from db.values.places import DiscordId

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
        raise Refused(f"You are playing {where}; finish or `/resign` one before you begin another.")
    raise Refused(f"{mention(user)} is playing {where}; this game can begin when one of those is over.")


def check_channel(running: int) -> None:
    """Raise Refused if another game may not begin in a channel in which so many are running."""
    if running >= MOST_IN_CHANNEL:
        raise Refused(
            f"{MOST_IN_CHANNEL} games are being played in this channel; begin one in another channel, or when one of"
            " these is over."
        )


def check(new: NewChallenge, made: Sequence[Challenge]) -> None:
    """Raise Refused if `new` exceeds a limit, given the challenges `made` by the same member that are open
    or were closed within a day."""
    out = [it for it in made if it.answer is Answer.OPEN]
    here = [it for it in out if it.place.channel == new.place.channel]
    asked = tuple(it.user for it in new.participants if it.user != new.challenger)
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
