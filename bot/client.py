"""The client: what logs in to Discord, with its commands, its buttons and what it does in the background."""

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

import discord
import structlog
from discord import app_commands
from discord.ext import commands, tasks

from bot.app.awards import Awards
from bot.app.challenges.challenges import Challenges
from bot.app.challenges.rematches import Rematches
from bot.app.errors import Refused
from bot.app.history import History
from bot.app.matches.matches import Matches
from bot.app.matches.timekeeper import Timekeeper
from bot.app.members.preferences import Preferences
from bot.app.members.privacy import Privacy
from bot.app.proposals import Proposals
from bot.app.records import Records
from bot.app.servers import Alerts, Departures
from bot.app.standings.cleanup import Attic
from bot.app.standings.leaderboards import Leaderboards
from bot.app.standings.profiles import Profiles
from bot.app.standings.ratings import Ratings
from bot.app.system import Chance, Clock
from bot.health import beat
from bot.ui.challenges.message import redraw
from bot.ui.extensions import extensions
from bot.ui.kit.buttons import Kept
from bot.ui.kit.film_worker import Studio
from bot.ui.kit.permissions import Managers
from bot.ui.kit.posting import Outlets
from bot.ui.kit.reply import refuse
from bot.ui.kit.services import Underway, place_of
from bot.ui.kit.turn_notices import Caller
from bot.ui.matches.board_poster import Poster
from bot.ui.matches.clock_loop import Ticker
from bot.ui.proposals.notices import Notices
from bot.ui.standings.season import Laureate
from db.api.places import DiscordId, Place
from db.api.proposals import Proposal
from db.api.store import Store

log = structlog.get_logger()

# A game host needs no voice, so its missing libraries are no news.
discord.VoiceClient.warn_nacl = False
discord.VoiceClient.warn_dave = False


FINISH = 5.0
"""Seconds that answers under way are given when the bot is to stop; Docker waits for ten."""


class Pencilbox(commands.AutoShardedBot):
    """The bot. It is the desk of its own interactions (see bot.ui.kit.services)."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        chance: Chance,
        *,
        theme: str,
        lifetime: timedelta,
        grace: timedelta,
        data_dir: Path,
    ) -> None:
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            # Everywhere, but for what bot.ui.kit.server_only keeps to servers.
            allowed_contexts=app_commands.AppCommandContext(
                guild=True, dm_channel=True, private_channel=True
            ),
            allowed_installs=app_commands.AppInstallationType(guild=True, user=True),
            max_messages=None,
        )
        self.desk = self
        self.matches = Matches(store, clock, chance)
        self.challenges = Challenges(store, clock, chance, lifetime)
        self.awards = Awards(store)
        self.ratings = Ratings(store)
        self.rematches = Rematches(store, clock, self.matches, self.challenges, lifetime)
        self.preferences = Preferences(store, clock, theme)
        self.history = History(store)
        self.leaderboards = Leaderboards(store, clock)
        self._attic = Attic(store, clock)
        self.profiles = Profiles(store)
        self.records = Records()
        self.departures = Departures(store, clock, grace)
        self.privacy = Privacy(store, clock, self.matches)
        self.proposals = Proposals(store, clock, self.matches)
        self.managers = Managers(self, Alerts(store, clock), self.preferences)
        self.outlets = Outlets(self)
        self._laureate = Laureate(self, self.outlets, self.leaderboards, self.preferences, self.managers)
        self.caller = Caller(self, self.outlets, self.preferences)
        self._notices = Notices(self.outlets, store, self.matches, self.proposals, self.managers, self.caller)
        self.studio = Studio()
        self.underway = Underway()
        self._poster = Poster(
            self, self.outlets, store, self.matches, self.preferences, self.managers, self.caller
        )
        timekeeper = Timekeeper(store, clock, self.matches)
        self._ticker = Ticker(self, self.matches, timekeeper, self._poster, self.caller)
        self._ticking: asyncio.Task[None] | None = None
        self._data_dir = data_dir

    async def show(self, match: int, *, again: bool = False) -> None:
        """See Desk.show."""
        # Who left may have been the last to be asked: then the board shows what the others agreed on.
        await self._notices.settle(match)
        await self._poster.show(match, again=again)

    async def refresh(self, match: int) -> None:
        """See Desk.refresh."""
        await self._poster.refresh(match)

    async def announce(self, proposal: Proposal) -> None:
        """See Desk.announce."""
        await self._notices.announce(proposal)

    async def deliver(self, interaction: discord.Interaction[Any]) -> None:
        """See Desk.deliver."""
        place = place_of(interaction)
        if self.outlets.reach(place):
            return
        for match in await self.matches.running(place):
            await self._notices.deliver(match)
        await self._poster.deliver(place)
        if interaction.message is not None:
            await self._poster.mend(place, interaction.message)

    async def theme(self, place: Place, user: DiscordId | None = None) -> str:
        """See Desk.theme."""
        return await self.preferences.theme(place, user)

    async def setup_hook(self) -> None:
        for module in extensions():
            await self.load_extension(module)
        # The commands lead to every module that has buttons, so by now all are known.
        self.add_dynamic_items(*Kept.kinds)
        await self.tree.sync()
        self._sweep.start()
        self._beat.start()
        self._ticking = asyncio.create_task(self._ticker.run())

    async def on_ready(self) -> None:
        log.info("ready", user=str(self.user), guilds=len(self.guilds))
        await self.departures.look(self._present())

    async def on_guild_channel_update(self, before: object, after: object) -> None:
        await self._permitted()

    async def on_guild_role_update(self, before: object, after: object) -> None:
        await self._permitted()

    async def _permitted(self) -> None:
        """A permission may have been granted: show what could not be shown."""
        await self._notices.permitted()
        await self._poster.permitted()

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Not when a server cannot be reached: Discord says which it is."""
        log.info("removed from a server", guild=guild.id)
        await self.departures.left(guild.id)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        await self.departures.joined(guild.id)

    def _present(self) -> set[DiscordId]:
        """The servers that the bot is in, those that cannot be reached just now included."""
        return {guild.id for guild in self.guilds}

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Answer a button or menu that is none of ours: silence would look as if the bot had failed."""
        if interaction.type is discord.InteractionType.component:
            custom_id = cast("dict[str, Any]", interaction.data)["custom_id"]
            if not Kept.known(custom_id):
                await refuse(
                    interaction, Refused("I do not know this button any more; `/games` leads to your games.")
                )

    async def close(self) -> None:
        self._sweep.cancel()
        self._beat.cancel()
        if self._ticking is not None:
            self._ticking.cancel()
        await self.underway.finish(FINISH)
        await super().close()

    @tasks.loop(seconds=15)
    async def _sweep(self) -> None:
        """Let challenges expire, settle proposals, show what is not shown yet, and forget what is over for long."""
        for challenge in await self.challenges.expire():
            await redraw(self.outlets, self.challenges, challenge.id)
        await self._notices.catch_up()
        await self._poster.catch_up()
        await self._laureate.catch_up()
        await self._attic.sweep()
        for guild in await self.departures.sweep(self._present()):
            log.info("server forgotten", guild=guild)

    @_sweep.before_loop
    async def _until_ready(self) -> None:
        await self.wait_until_ready()

    @_sweep.error
    async def _sweep_failed(self, error: BaseException) -> None:
        # A loop of discord.ext.tasks ends at an unknown error; the next sweep may well succeed.
        log.error("sweep failed", error=repr(error))
        self._sweep.restart()

    @tasks.loop(seconds=10)
    async def _beat(self) -> None:
        if self.is_ready() and not self.is_closed():
            beat(self._data_dir)
