"""Challenges as messages of the bot's own."""

import asyncio
from weakref import WeakValueDictionary

import discord

from bot.app.challenges import Challenges
from bot.app.errors import Refused
from bot.entry.offer import called, offer
from db.values import Challenge

_posting: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
"""One posting of a challenge at a time, so that none is posted twice."""


async def post(client: discord.Client, challenges: Challenges, challenge: Challenge) -> None:
    """Post a challenge where it was made, unless it has its message. Raises Refused when the bot may not post there."""
    async with _posting.setdefault(challenge.id, asyncio.Lock()):
        found = await challenges.find(challenge.id)
        if found is None or found.message is not None:
            return
        channel = client.get_partial_messageable(found.place.channel, guild_id=found.place.guild)
        try:
            message = await channel.send(view=offer(found), allowed_mentions=called(found))
        except (discord.Forbidden, discord.NotFound):
            raise Refused("I may not post in that channel: I need View Channel and Send Messages.") from None
        await challenges.posted(found, message.id)
