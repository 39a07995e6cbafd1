"""Asking Discord who has opened the page, and where."""

from dataclasses import dataclass, field
from typing import Any

import aiohttp
import discord

from bot.activity.sessions import Session
from db.values.places import Place

TIMEOUT = aiohttp.ClientTimeout(total=10)


class NotIdentified(Exception):
    """Discord does not say that this member has opened the page. The text is one sentence for them."""


@dataclass(frozen=True, slots=True)
class Identified:
    """The session of a member, and the token by which their page talks to their own Discord (scope `identify`)."""

    session: Session
    token: str


@dataclass(frozen=True, slots=True)
class Application:
    """The application on Discord: its id, its client secret, and the token of its bot."""

    id: int
    secret: str = field(repr=False)
    bot_token: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class DiscordApi:
    """Discord's routes for activities."""

    application: Application
    http: aiohttp.ClientSession

    async def identify(self, code: str, instance: str) -> Identified:
        """Exchange the code that a page was given, and return who uses it. Raises NotIdentified.

        Nothing that the page says is believed: Discord says who the member is, and that they are in this instance of
        the activity, and where the instance was opened.
        """
        try:
            token = (await self._exchange(code))["access_token"]
            user = await self._get("/users/@me", f"Bearer {token}")
            path = f"/applications/{self.application.id}/activity-instances/{instance}"
            opened = await self._get(path, f"Bot {self.application.bot_token}")
            location = opened["location"]
            guild = location.get("guild_id")
            place = Place(None if guild is None else int(guild), int(location["channel_id"]))
            name = user.get("global_name") or user["username"]
            found = Identified(Session(int(user["id"]), name, place), token)
        except (
            aiohttp.ClientError,
            TimeoutError,
            LookupError,
            ValueError,
            TypeError,
            AttributeError,
        ) as error:
            raise NotIdentified(
                "Discord did not confirm who you are; close this page and open it again."
            ) from error
        if user["id"] not in opened["users"]:
            raise NotIdentified("Discord says that you are not here; close this page and open it again.")
        return found

    async def _exchange(self, code: str) -> Any:
        form = {
            "client_id": str(self.application.id),
            "client_secret": self.application.secret,
            "grant_type": "authorization_code",
            "code": code,
        }
        url = f"{discord.http.Route.BASE}/oauth2/token"
        async with self.http.post(url, data=form, timeout=TIMEOUT, raise_for_status=True) as response:
            return await response.json()

    async def _get(self, path: str, authorization: str) -> Any:
        headers = {"Authorization": authorization}
        url = f"{discord.http.Route.BASE}{path}"
        async with self.http.get(url, headers=headers, timeout=TIMEOUT, raise_for_status=True) as response:
            return await response.json()
