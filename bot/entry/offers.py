"""Challenges as messages of the bot's own."""

import asyncio
from weakref import WeakValueDictionary

import discord

from bot.app.challenges import Challenges
from bot.app.errors import Refused
from bot.entry.managers import Managers
from bot.entry.offer import called, offer
from db.values import Challenge

_posting: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
"""One posting of a challenge at a time, so that none is posted twice."""


async def post(
    client: discord.Client, challenges: Challenges, managers: Managers, challenge: Challenge
) -> None:
    """Post a challenge where it was made, unless it has its message. Raises Refused when the bot may not post there."""
    async with _posting.setdefault(challenge.id, asyncio.Lock()):
        found = await challenges.find(challenge.id)
        if found is None or found.message is not None:
            return
        channel = client.get_partial_messageable(found.place.channel, guild_id=found.place.guild)
        try:
            message = await channel.send(view=offer(found), allowed_mentions=called(found))
        except discord.Forbidden:
            missing = await managers.tell(found.place, pictures=False)
            raise Refused(f"I may not post in <#{found.place.channel}>: {missing}.") from None
        except discord.NotFound:
            raise Refused("The channel where this was asked is gone; ask in another.") from None
        await challenges.posted(found, message.id)
