"""The display of matches and challenges, as interactions use it."""

from typing import Any

import discord
import structlog

from bot.app.errors import Refused
from bot.app.matches.table import Table
from bot.app.services import Services
from bot.ui.challenges.cards import CardPublisher
from bot.ui.interactions.reply import place_of
from bot.ui.matches.boards import BoardPublisher
from bot.ui.matches.results import ResultPublisher, VoidPublisher
from bot.ui.posts.clients import Clients
from bot.ui.posts.outbox import Outbox
from bot.ui.posts.requests import DISCORD_ERRORS, NotYet
from bot.ui.services import UiServices
from db.values.places import DiscordId
from db.values.posts import PostKind

log = structlog.get_logger()


class BotDisplay:
    """The bot's Display (see bot.ui.services)."""

    def __init__(self, clients: Clients, services: Services, ui_services: UiServices) -> None:
        self._services = services
        self._posting = ui_services.posting
        self.outbox = Outbox(clients, services, ui_services.posting, ui_services.permission_alerts)
        self.boards = BoardPublisher(self.outbox, clients, services, ui_services)
        for publisher in (
            self.boards,
            CardPublisher(self.outbox, services, ui_services),
            ResultPublisher(self.outbox, services, ui_services),
            VoidPublisher(self.outbox, services, ui_services),
        ):
            self.outbox.add(publisher)

    async def show(self, match: int, known: Table | None = None, *, again: bool = False) -> None:
        await self.boards.show(match, known, anew=again)

    async def announce_reverted(self, match: int) -> None:
        for key in ("here", "results"):
            try:
                await self.outbox.publish(PostKind.VOID, match, key)
            except (Refused, NotYet, *DISCORD_ERRORS) as error:
                log.warning("post.not_published", match=match, kind=PostKind.VOID, error=type(error).__name__)

    async def invite(self, challenge: int, *, again: bool = False) -> None:
        if again and (found := await self._services.challenges.find(challenge)) is not None:
            place = found.place
            if not self._posting.at(place).open or not self._services.ownership.owns(place.guild):
                raise Refused(f"I can post in <#{place.channel}> only when you ask me there.")
        await self.outbox.publish(PostKind.CARD, challenge, anew=again)

    async def deliver(self, interaction: discord.Interaction[Any]) -> None:
        place = place_of(interaction)
        if not self._posting.reaches(place) and self._services.ownership.shows(place.guild):
            await self.outbox.deliver(place)
        if interaction.message is not None:
            await self.boards.remove_untracked(place, interaction.message)

    def wake(self) -> None:
        self.outbox.wake()

    async def settings_changed(self, guild: DiscordId) -> None:
        await self.outbox.settings_changed(guild)
