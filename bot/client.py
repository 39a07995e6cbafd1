"""The Discord client, with its commands, its buttons and its background tasks."""

import asyncio
from pathlib import Path
from typing import Any, cast

import discord
import structlog
from discord import app_commands
from discord.ext import commands

from bot.app.background import BackgroundTask
from bot.app.errors import Refused
from bot.app.moments.loop import MomentLoop
from bot.app.services import Services
from bot.health import beat
from bot.heap import give_back
from bot.ui.challenges.message import redraw
from bot.ui.extensions import extensions
from bot.ui.kit.answers.buttons import WORN_OUT, PersistentItem, used
from bot.ui.kit.answers.commands import Commands
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


SWEEP, PUZZLES, BEAT = 15.0, 15.0, 10.0
"""Seconds between two rounds of a background task."""
FINISH = 5.0
"""Seconds that running answers get when the bot stops; Docker waits for ten."""


class Pencilbox(commands.AutoShardedBot):
    """The bot. It carries the services by which its interactions are answered (see bot.ui.kit.answers.acting)."""

    def __init__(self, services: Services, data_dir: Path, moments_percent: int = 0) -> None:
        """Searches finished games with `moments_percent` of the time of one core at most; 0 searches none."""
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            tree_cls=Commands,
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
        works = {
            "sweep": self._sweep,
            # Posting in many servers takes a while, for which the sweep does not wait.
            "puzzles": self._post_puzzles,
            "beat": self._beat,
            "clocks": self._clock_loop.round,
            "computers": self.display.boards.computers.round,
        }
        if moments_percent:
            works["moments"] = MomentLoop(services.moments, moments_percent).round
        self.background = [BackgroundTask(name, work) for name, work in works.items()]
        self._running: list[asyncio.Task[None]] = []
        self._data_dir = data_dir

    async def setup_hook(self) -> None:
        for module in extensions():
            await self.load_extension(module)
        # The modules with commands import every module with buttons, so all buttons are known by now.
        self.add_dynamic_items(*PersistentItem.kinds)
        await self.tree.sync()
        self._running = [asyncio.create_task(self._when_ready(task)) for task in self.background]
        # A task of its own, since Discord may take its time: boards can do without emojis.
        self._running.append(asyncio.create_task(load_emojis(self)))

    async def _when_ready(self, task: BackgroundTask) -> None:
        await self.wait_until_ready()
        await task.run()

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
        """Answer a button, menu or form that discord.py does not know or not find in its message.

        Without an answer it would look as if the bot had failed.
        """
        kind = interaction.type
        if kind is discord.InteractionType.component and not (
            PersistentItem.known(_custom_id(interaction)) and used(interaction)
        ):
            await refuse(interaction, Refused(WORN_OUT))
        elif kind is discord.InteractionType.modal_submit and not is_open(_custom_id(interaction)):
            await refuse(interaction, Refused("This form was opened too long ago; open it again."))

    async def close(self) -> None:
        for task in self._running:
            task.cancel()
        # They close their database connections first: cancelled twice, aiosqlite would wait for ever.
        await asyncio.gather(*self._running, return_exceptions=True)
        await self.kit.running_answers.finish(FINISH)
        await self.display.boards.computers.stop()
        await super().close()

    async def _sweep(self) -> float:
        """Expire challenges, settle proposals, show what is not shown yet, and delete old data."""
        for challenge in await self.services.challenges.expire():
            await redraw(self.kit, self.services, challenge.id)
        await self.display.catch_up()
        await self._podiums.catch_up()
        await self.services.leaderboard_cleanup.sweep()
        for guild in await self.services.departures.sweep(self._present()):
            log.info("server forgotten", guild=guild)
        return SWEEP

    async def _post_puzzles(self) -> float:
        """Post the puzzle of the day and the moment of the week where they are due."""
        await self._daily.catch_up()
        await self._weekly.catch_up()
        return PUZZLES

    async def _beat(self) -> float:
        if self.is_ready() and not self.is_closed():
            beat(self._data_dir)
        give_back()
        return BEAT


def _custom_id(interaction: discord.Interaction[Any]) -> str:
    return str(cast("dict[str, Any]", interaction.data)["custom_id"])
