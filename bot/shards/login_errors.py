"""A clear sentence for each error of Discord that ends the bot, and pauses for those that may pass."""

import aiohttp
import discord

RETRY = 5.0
"""Seconds before the next try if Discord cannot be reached."""
REFUSED_FOR_NOW = 60.0
"""The same if Discord says that there were too many requests, and not for how long."""

_GATEWAY_REFUSALS = {
    4004: "the token was not accepted: copy DISCORD_TOKEN again from the Bot page of your application",
    4010: "the shards are wrong: leave SHARD_COUNT and SHARD_IDS out, or correct them",
    4011: "the bot is in too many servers for so few shards: leave SHARD_COUNT out, or raise it for all processes",
    4012: "this version of the gateway is no longer served: update Pencilbox",
    4013: "the intents are unknown: update Pencilbox",
    4014: "the intents are not allowed: look at Privileged Gateway Intents on the Bot page of your application",
}

LONGEST_REASON = 300
"""Characters of Discord's own explanation in a sentence for the operator."""

_COMMAND_REFUSALS = {
    401: "copy DISCORD_TOKEN again from the Bot page of your application",
    403: "check that DISCORD_TOKEN belongs to this application",
}


def pause_after(error: Exception) -> float | None:
    """Return the seconds after which to try again; None for an error that does not pass by itself."""
    if isinstance(error, discord.HTTPException) and error.status == 429:
        return _retry_after(error)
    if isinstance(error, discord.RateLimited):
        return max(RETRY, error.retry_after)
    if isinstance(
        error, discord.DiscordServerError | discord.GatewayNotFound | aiohttp.ClientError | OSError
    ):
        return RETRY
    return None


def sentence_for(error: Exception) -> str | None:
    """Return what the operator is to do about an error that does not pass; None for others and unknown ones."""
    if isinstance(error, discord.PrivilegedIntentsRequired):
        return _closed(4014)
    if isinstance(error, discord.ConnectionClosed):
        return _closed(error.code)
    if isinstance(error, discord.LoginFailure):
        return "DISCORD_TOKEN was refused by Discord: copy it again from the Bot page of your application."
    if isinstance(error, discord.HTTPException) and pause_after(error) is None:
        return _refused(error)
    return None


def _closed(code: int | None) -> str:
    reason = _GATEWAY_REFUSALS.get(code or 0, "look the code up among Discord's gateway close codes")
    return f"Discord has closed the connection for good (code {code}): {reason}."


def _refused(error: discord.HTTPException) -> str:
    about = f"{error.status}, code {error.code}" if error.code else str(error.status)
    if error.response.url.path.endswith("/commands"):
        advice = _COMMAND_REFUSALS.get(error.status, "update Pencilbox, or report this sentence")
        reason = " ".join(error.text.split())[:LONGEST_REASON].removesuffix(".")
        return f"Discord has refused the bot's commands ({about}{reason and f': {reason}'}): {advice}."
    return (
        f"Discord has refused the login ({about}): check in the Developer Portal that the application "
        "of DISCORD_TOKEN still exists and is not disabled."
    )


def _retry_after(error: discord.HTTPException) -> float:
    try:
        return max(RETRY, float(error.response.headers["Retry-After"]))
    except (KeyError, ValueError):
        return REFUSED_FOR_NOW
