"""Discord's word on connecting an application: how many shards it recommends, and how often they may log in."""

import asyncio
from dataclasses import dataclass

import aiohttp
import discord


@dataclass(frozen=True, slots=True)
class Gateway:
    """The recommended number of shards, and the limits of logins.

    `remaining` logins are left until `reset_after` seconds have passed. `at_once` shards may log in within five
    seconds, each of which has another remainder when its number is divided by `at_once`.
    """

    shards: int
    at_once: int
    remaining: int
    reset_after: float


async def ask_gateway(token: str) -> Gateway:
    """Ask Discord. Raises the errors of a login of discord.py (see bot.shards.login_errors)."""
    agent = discord.http.HTTPClient(asyncio.get_running_loop()).user_agent
    headers = {"Authorization": f"Bot {token}", "User-Agent": agent}
    async with (
        aiohttp.ClientSession(headers=headers) as session,
        session.get(f"{discord.http.Route.BASE}/gateway/bot") as response,
    ):
        if response.status == 401:
            raise discord.LoginFailure("Discord does not know this token.")
        if response.status >= 500:
            raise discord.DiscordServerError(response, await response.text())
        if response.status != 200:
            raise discord.HTTPException(response, await response.text())
        said = await response.json(content_type=None)
    limits = said["session_start_limit"]
    return Gateway(
        said["shards"], limits["max_concurrency"], limits["remaining"], limits["reset_after"] / 1000
    )
