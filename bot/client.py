"""The Discord client of one shard, with its commands and its buttons."""

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import discord
import structlog
from discord import app_commands
from discord.ext import commands

from bot.app.errors import Refused
from bot.rate_limits import LONGEST_WAIT, bound_requests
from bot.ui import computers, history, lessons, review
from bot.ui.administration import add_admin_commands, sync_admin_commands
from bot.ui.challenges import message as challenges
from bot.ui.events import commands as events
from bot.ui.interactions.buttons import is_open, press
from bot.ui.interactions.commands import Commands
from bot.ui.interactions.reply import refuse
from bot.ui.matches import commands as matches
from bot.ui.matches.touch import launch
from bot.ui.members import help as help_pages
from bot.ui.members import overview, preferences, settings
from bot.ui.members.setup import post_welcome
from bot.ui.posts.permissions import may_open_threads
from bot.ui.puzzles import buttons as puzzles
from bot.ui.standings import leaderboard, profile
from db.values.places import DIRECT

if TYPE_CHECKING:
    from bot.pencilbox import Pencilbox
    from bot.shards.logins import Logins

log = structlog.get_logger()

# The bot uses no voice, so warnings about its missing libraries help nobody.
discord.VoiceClient.warn_nacl = False
discord.VoiceClient.warn_dave = False


COMMANDS: tuple[app_commands.Command[Any, ..., Any] | app_commands.ContextMenu, ...] = (
    challenges.challenge,
    challenges.challenge_menu,
    computers.play,
    events.cup,
    history.replay,
    history.replay_of_message_menu,
    leaderboard.leaderboard,
    lessons.learn,
    matches.board,
    matches.move,
    help_pages.help_,
    help_pages.rules,
    overview.games,
    preferences.preferences_command,
    profile.profile,
    puzzles.puzzle,
    review.play_on_menu,
    review.review,
    settings.settings_command,
)
"""The commands of all subjects, which the shards share."""

NAMING_NEWEST = discord.TextChannel, discord.VoiceChannel, discord.StageChannel, discord.Thread
"""The channels whose newest message discord.py knows; it has no place for that of direct messages."""
LONGEST_CLOSE = 2.0
"""Seconds to wait for Discord when the connection to the gateway is closed, which may be broken already."""


class ShardClient(commands.Bot):
    """One shard of the bot, with the services that answer its interactions (see bot.ui.interactions.reply)."""

    def __init__(
        self, bot: "Pencilbox", shard: int = DIRECT, count: int = 1, logins: "Logins | None" = None
    ) -> None:
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            tree_cls=Commands,
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            # Commands are offered everywhere unless they are marked by bot.ui.interactions.commands.
            allowed_contexts=app_commands.AppCommandContext(
                guild=True, dm_channel=True, private_channel=True
            ),
            allowed_installs=app_commands.AppInstallationType(guild=True, user=True),
            max_messages=None,
            max_ratelimit_timeout=LONGEST_WAIT,
            shard_id=shard,
            shard_count=count,
        )
        self._parse_interaction = self._connection.parsers["INTERACTION_CREATE"]
        self._connection.parsers["INTERACTION_CREATE"] = self._read_interaction
        self.http.http_trace = bot.ui_services.meter.requests
        bound_requests(self.http)
        self.shard = shard
        self.services, self.ui_services, self.display = bot.services, bot.ui_services, bot.display
        self._bot = bot
        self._logins = logins

    def _read_interaction(self, data: Any) -> None:
        """Process an interaction, and note the newest message of its channel, which discord.py does not read there.

        Without the intent for messages, only interactions name it.
        """
        described = data.get("channel") or {}
        newest, channel = described.get("last_message_id"), self.get_channel(int(described.get("id", 0)))
        if newest is not None and isinstance(channel, NAMING_NEWEST):
            channel.last_message_id = int(newest)
        self._parse_interaction(data)

    async def setup_hook(self) -> None:
        for command in COMMANDS:
            self.tree.add_command(command)
        if self.ui_services.touched_matches is not None:
            assert isinstance(self.tree, Commands)
            self.tree.launch = launch
        await self.services.administration.refresh()
        if self._bot.admin_server is not None:
            add_admin_commands(self.tree, self._bot.admin_server)
        if self.shard == DIRECT:
            await self.register_commands()
            if self._bot.admin_server is not None:
                await sync_admin_commands(self.tree, self._bot.admin_server)
        self._bot.clients.add(self)

    async def register_commands(self) -> None:
        """Register the global commands once. Raises discord.HTTPException if Discord has none of them."""
        assert isinstance(self.tree, Commands)
        if not self.tree.registered:
            await self.tree.register()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait for permission to log in again. The permission for the first login was obtained before."""
        if self._logins is not None:
            if not initial:
                await self._logins.turn(self.shard)
            self._logins.used(self.shard)

    async def on_ready(self) -> None:
        log.info("ready", user=str(self.user), guilds=len(self.guilds), shard=self.shard)
        self._bot.ready(self)
        if self._bot.note is not None:
            await self._greet(self._bot.note)

    async def _greet(self, note: str) -> None:
        """Post the first message in servers of the local Discord whose system channel is empty."""
        for guild in self.guilds:
            if guild.system_channel is not None and guild.system_channel.last_message_id is None:
                await post_welcome(self.ui_services.posting, self.services.preferences, guild, note)

    async def on_guild_channel_update(
        self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel
    ) -> None:
        await self._bot.outbox.permissions_changed(after.guild.id)

    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        await self._bot.outbox.permissions_changed(after.guild.id)

    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        if not payload.data["thread_metadata"].get("locked"):
            await self._bot.outbox.thread_changed(payload.guild_id, payload.thread_id)
        await self.display.boards.threads.keep_open(payload.data)

    async def on_thread_join(self, thread: discord.Thread) -> None:
        """Publish the posts that waited until the bot was added to a private thread."""
        await self._bot.outbox.thread_changed(thread.guild.id, thread.id)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Note that the bot was removed from a server. Discord does not send this event for outages."""
        log.info("server.left", guild=guild.id)
        await self.services.departures.left(guild.id)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        if self.services.administration.ban_of_server(guild.id) is not None:
            log.info("guild.banned_left", guild=guild.id)
            await guild.leave()
            return
        await self.services.departures.joined(guild.id, threads=may_open_threads(guild))
        await post_welcome(self.ui_services.posting, self.services.preferences, guild)

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Record the activity of a member. Answer buttons and menus, and refuse forms that discord.py forgot."""
        self.services.retention.note(interaction.user.id, interaction.guild_id)
        kind = interaction.type
        if kind is discord.InteractionType.component:
            await press(interaction)
        elif kind is discord.InteractionType.modal_submit and not is_open(interaction):
            await refuse(interaction, Refused("This form was opened too long ago; open it again."))

    async def leave_gateway(self) -> None:
        """Close the connection to the gateway, so that another process can serve the shard.

        Running answers can use HTTP until `close` is called.
        """
        if (ready := self._connection._ready_task) is not None:
            # The task would report to the closed client that all servers are available, which is an error.
            ready.cancel()
        connection: discord.gateway.DiscordWebSocket | None = self.ws
        if connection is not None and connection.open:
            with suppress(TimeoutError):
                async with asyncio.timeout(LONGEST_CLOSE):
                    await connection.close(code=1000)

    async def close(self) -> None:
        self._bot.clients.remove(self)
        await self.leave_gateway()
        await super().close()
