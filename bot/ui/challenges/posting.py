"""Challenges as messages of the bot's own."""

import asyncio
from weakref import WeakValueDictionary

import discord

from bot.app.errors import Refused
from bot.ui.challenges.message import challenge_message
from bot.ui.challenges.wording import summary
from bot.ui.kit.acting import Acting
from db.api.challenges import Challenge, Reply
from db.api.members import Notice

_posting: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
"""One posting of a challenge at a time, so that none is posted twice."""


async def post_challenge(acting: Acting, challenge: Challenge) -> None:
    """Post a challenge where it was made, unless it has its message, and call those who are asked as they chose.

    Raises Refused when the bot may not post there.
    """
    async with _posting.setdefault(challenge.id, asyncio.Lock()):
        found = await acting.services.challenges.find(challenge.id)
        if found is None or found.message is not None:
            return
        outlet = acting.kit.posting.at(found.place)
        called = await acting.kit.turn_notices.by_notice(found.users(Reply.ASKED))
        try:
            once = f"challenge {found.id} {found.made_at}"
            message = await outlet.send(view=challenge_message(found), notify=called[Notice.PING], once=once)
        except discord.Forbidden:
            missing = await acting.kit.permission_alerts.report(found.place, pictures=False)
            raise Refused(f"I may not post in <#{found.place.channel}>: {missing}.") from None
        except discord.NotFound:
            raise Refused("The channel where this was asked is gone; ask in another.") from None
        await acting.services.challenges.posted(found, message)
        await acting.kit.turn_notices.tell(called[Notice.DIRECT], f"{summary(found)}.", found.place, message)
