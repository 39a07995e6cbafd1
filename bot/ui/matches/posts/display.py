"""The display of matches and challenges, as interactions use it."""

from typing import Any

import discord
import structlog

from bot.app.errors import Refused
from bot.app.matches.table import Table
from bot.app.services import Services
from bot.ui.challenges.cards import CardPublisher
from bot.ui.kit.answers.acting import place_of
from bot.ui.kit.posts.clients import Clients
from bot.ui.kit.posts.drafts import NotYet
from bot.ui.kit.posts.outbox import Outbox
from bot.ui.kit.posts.posting import DISCORD_ERRORS
from bot.ui.kit.services import Kit
from bot.ui.matches.posts.boards import BoardPublisher
from bot.ui.matches.posts.results import ResultPublisher, VoidPublisher
from db.values.places import DiscordId
from db.values.posts import PostKind

log = structlog.get_logger()


class BotDisplay:
    """The bot's Display (see bot.ui.kit.services)."""

    def __init__(self, clients: Clients, services: Services, kit: Kit) -> None:
        self._services = services
        self._posting = kit.posting
        self.outbox = Outbox(clients, services, kit.posting, kit.permission_alerts)
        self.boards = BoardPublisher(self.outbox, clients, services, kit)
        for publisher in (
            self.boards,
            CardPublisher(self.outbox, services, kit),
            ResultPublisher(self.outbox, services, kit),
            VoidPublisher(self.outbox, services, kit),
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
