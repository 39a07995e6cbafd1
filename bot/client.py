"""The Discord client, with its commands, its buttons and its background tasks."""

import asyncio
from pathlib import Path
from typing import Any, cast

import discord
import structlog
from discord import app_commands
from discord.ext import commands, tasks

from bot.app.errors import Refused
from bot.app.moments.loop import MomentLoop
from bot.app.services import Services
from bot.health import beat
from bot.ui.challenges.message import redraw
from bot.ui.extensions import extensions
from bot.ui.kit.answers.buttons import PersistentItem
from bot.ui.kit.answers.forms import is_open
from bot.ui.kit.answers.reply import refuse
from bot.ui.kit.content.emoji import load_emojis
from bot.ui.kit.posts.member_names import MemberNames
from bot.ui.kit.posts.permissions import PermissionAlerts, may_open_threads
from bot.ui.kit.posts.posting import Posting
from bot.ui.kit.posts.turn_notices import TurnNotices
from bot.ui.kit.services import Kit
from bot.ui.matches.clock_loop import ClockLoop
from bot.ui.matches.posts.display import BotDisplay
from bot.ui.members.welcome import post_welcome
from bot.ui.puzzles.daily_poster import DailyPoster
from bot.ui.puzzles.weekly_poster import WeeklyPoster
from bot.ui.standings.season import PodiumAnnouncer
from db.api.places import DiscordId

log = structlog.get_logger()

# The bot uses no voice, so warnings about its missing libraries help nobody.
discord.VoiceClient.warn_nacl = False
discord.VoiceClient.warn_dave = False


FINISH = 5.0
"""Seconds that running answers get when the bot stops; Docker waits for ten."""


class Pencilbox(commands.AutoShardedBot):
    """The bot. It carries the services by which its interactions are answered (see bot.ui.kit.answers.acting)."""

    def __init__(self, services: Services, data_dir: Path, moments_percent: int = 0) -> None:
        """Searches finished games with `moments_percent` of the time of one core at most; 0 searches none."""
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            # Commands are offered everywhere unless they are marked by bot.ui.kit.answers.server_only.
            allowed_contexts=app_commands.AppCommandContext(
                guild=True, dm_channel=True, private_channel=True
            ),
            allowed_installs=app_commands.AppInstallationType(guild=True, user=True),
            max_messages=None,
        )
        self.services = services
        posting = Posting(self)
        self.kit = Kit(
            posting,
            PermissionAlerts(self, services.alerts, services.preferences),
            TurnNotices(self, posting, services.preferences),
            MemberNames(self, services.preferences),
        )
        self.display = BotDisplay(self, services, self.kit)
        self._podiums = PodiumAnnouncer(self, services, self.kit)
        self._daily = DailyPoster(self, services, self.kit)
        self._weekly = WeeklyPoster(self, services, self.kit)
        self._clock_loop = ClockLoop(self, services, self.kit, self.display.boards)
        self._clock_task: asyncio.Task[None] | None = None
        self._computer_task: asyncio.Task[None] | None = None
        self._emoji_task: asyncio.Task[None] | None = None
        self._moment_task: asyncio.Task[None] | None = None
        self._moments_percent = moments_percent
        self._data_dir = data_dir

    async def setup_hook(self) -> None:
        for module in extensions():
            await self.load_extension(module)
        # The modules with commands import every module with buttons, so all buttons are known by now.
        self.add_dynamic_items(*PersistentItem.kinds)
        await self.tree.sync()
        self._sweep.start()
        self._puzzles.start()
        self._beat.start()
        self._clock_task = asyncio.create_task(self._clock_loop.run())
        self._computer_task = asyncio.create_task(self.display.boards.computers.run())
        if self._moments_percent:
            loop = MomentLoop(self.services.moments, self._moments_percent)
            self._moment_task = asyncio.create_task(loop.run())
        # A task of its own, since Discord may take its time: boards can do without emojis.
        self._emoji_task = asyncio.create_task(load_emojis(self))

    async def on_ready(self) -> None:
        log.info("ready", user=str(self.user), guilds=len(self.guilds))
        await self.services.departures.look(self._present())

    async def on_guild_channel_update(self, before: object, after: object) -> None:
        await self.display.permissions_changed()

    async def on_guild_role_update(self, before: object, after: object) -> None:
        await self.display.permissions_changed()

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Note that the bot was removed from a server. Discord does not send this event for outages."""
        log.info("removed from a server", guild=guild.id)
        await self.services.departures.left(guild.id)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        await self.services.departures.joined(guild.id, threads=may_open_threads(guild))
        await post_welcome(self.kit.posting, guild)

    def _present(self) -> set[DiscordId]:
        """Return the servers of the bot, including those that cannot be reached at the moment."""
        return {guild.id for guild in self.guilds}

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Answer an unknown button, menu or form. Without an answer it would look as if the bot had failed."""
        kind = interaction.type
        if kind is discord.InteractionType.component and not PersistentItem.known(_custom_id(interaction)):
            await refuse(interaction, Refused("This button no longer works; `/games` lists your games."))
        elif kind is discord.InteractionType.modal_submit and not is_open(_custom_id(interaction)):
            await refuse(interaction, Refused("This form was opened too long ago; open it again."))

    async def close(self) -> None:
        loops = (self._sweep, self._puzzles, self._beat)
        tasks = (self._clock_task, self._computer_task, self._emoji_task, self._moment_task)
        running = [task for task in (*(loop.get_task() for loop in loops), *tasks) if task is not None]
        for task in running:
            task.cancel()
        # They close their database connections first: cancelled twice, aiosqlite would wait for ever.
        await asyncio.gather(*running, return_exceptions=True)
        await self.kit.running_answers.finish(FINISH)
        await self.display.boards.computers.stop()
        await super().close()

    @tasks.loop(seconds=15)
    async def _sweep(self) -> None:
        """Expire challenges, settle proposals, show what is not shown yet, and delete old data."""
        for challenge in await self.services.challenges.expire():
            await redraw(self.kit, self.services, challenge.id)
        await self.display.catch_up()
        await self._podiums.catch_up()
        await self.services.leaderboard_cleanup.sweep()
        for guild in await self.services.departures.sweep(self._present()):
            log.info("server forgotten", guild=guild)

    @_sweep.before_loop
    async def _until_ready(self) -> None:
        await self.wait_until_ready()

    @_sweep.error
    async def _sweep_failed(self, error: BaseException) -> None:
        # A loop of discord.ext.tasks ends at an unknown error; the next sweep may succeed.
        log.error("sweep failed", error=repr(error))
        self._sweep.restart()

    @tasks.loop(seconds=15)
    async def _puzzles(self) -> None:
        """Post the puzzle of the day. Posting in many servers takes a while, for which the sweep does not wait."""
        try:
            await self._daily.catch_up()
            await self._weekly.catch_up()
        except Exception as error:
            log.exception("puzzles not posted", error=type(error).__name__)

    @_puzzles.before_loop
    async def _until_puzzles_can_be_posted(self) -> None:
        await self.wait_until_ready()

    @tasks.loop(seconds=10)
    async def _beat(self) -> None:
        if self.is_ready() and not self.is_closed():
            beat(self._data_dir)


def _custom_id(interaction: discord.Interaction[Any]) -> str:
    return str(cast("dict[str, Any]", interaction.data)["custom_id"])
