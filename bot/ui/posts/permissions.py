"""Missing permissions: how they are found, named, and reported to members who can grant them."""

from collections.abc import Iterable
from typing import Any

import discord
import structlog

from bot.app.errors import Refused
from bot.app.members.preferences import Preferences
from bot.app.servers import Alerts
from bot.ui.posts.clients import Clients
from bot.ui.posts.direct_messages import DirectMessages, NotDelivered
from bot.ui.posts.requests import DISCORD_ERRORS, NotYet, is_closed
from db.values.places import DiscordId, Place
from rules.core.notation import joined

log = structlog.get_logger()

NOBODY = discord.AllowedMentions.none()

OWN_THREAD = ("view_channel", "create_public_threads", "send_messages_in_threads", "attach_files")
"""The permissions that the bot needs in a channel to open a thread for a game there."""
ADD_ME = "Mention me once in this thread so that I am added."
PINNING = ("pin_messages", "read_message_history")
"""The permissions for pinned boards; without the second one the line that announces a pin is not found."""


LOCKED = "this thread is locked; moderators can unlock it"


def posting_permissions(*, thread: bool, pictures: bool = True) -> tuple[str, ...]:
    """Return the permissions that posting in a channel or a thread needs, with or without a picture."""
    sending = "send_messages_in_threads" if thread else "send_messages"
    return ("view_channel", sending, "attach_files") if pictures else ("view_channel", sending)


def permission_channel(guild: discord.Guild, place: Place) -> tuple[DiscordId, bool]:
    """Return the channel whose permissions apply at a place, and True if the place is a thread of it."""
    found = guild.get_thread(place.channel)
    parent = place.parent or (found.parent_id if found else None)
    return parent or place.channel, parent is not None


def missing_permissions(guild: discord.Guild, channel: DiscordId, names: Iterable[str]) -> str:
    """Return those of these permissions that the bot lacks in a channel, as Discord names them; "" if none."""
    found = guild.get_channel(channel)
    if found is None:
        return permission_list(["view_channel"])
    # Each granted permission counts: discord.py's own override drops those that are useless without another one.
    return not_held(discord.abc.GuildChannel.permissions_for(found, guild.me), names)


def is_voice(channel: discord.abc.GuildChannel | None) -> bool:
    """Return True if a channel is a voice channel, whose chat has neither threads nor pins."""
    return isinstance(channel, discord.VoiceChannel | discord.StageChannel)


def may_open_threads(guild: discord.Guild) -> bool:
    """Return True if the bot may open threads for games in a server; some of its channels may not allow that."""
    return not not_held(guild.me.guild_permissions, OWN_THREAD)


def not_held(held: discord.Permissions, names: Iterable[str]) -> str:
    """Return the missing permissions as Discord names them. Administrators have all permissions."""
    return "" if held.administrator else permission_list(name for name in names if not getattr(held, name))


def permission_list(permissions: Iterable[str]) -> str:
    """Return the names of permissions as Discord shows them: `View Channel and Send Messages`."""
    return joined([name.replace("_", " ").title().replace(" In ", " in ") for name in permissions])


async def check_thread(interaction: discord.Interaction[Any]) -> None:
    """Raise Refused in a private thread that the bot was not added to, where it can answer, but not post."""
    channel = interaction.channel
    if not isinstance(channel, discord.Thread) or not channel.is_private():
        return
    try:
        # The interaction does not tell if the bot is a member; its permissions are those of the parent channel.
        await channel.guild.fetch_channel(channel.id)
    except discord.Forbidden:
        raise Refused(ADD_ME) from None
    except DISCORD_ERRORS as error:
        log.info("thread.not_checked", channel=channel.id, error=type(error).__name__)


def shows_to(guild: discord.Guild, member: discord.Member, place: Place) -> bool:
    """Return True if a member of a server sees a place there, which is said of nobody for a private thread."""
    channel = guild.get_channel(place.parent or place.channel)
    if channel is None or not channel.permissions_for(member).view_channel:
        return False
    if place.parent is None:
        return True
    thread = guild.get_thread(place.channel)
    return thread is not None and not thread.is_private()


async def sees(clients: Clients, user: DiscordId, place: Place) -> bool:
    """Ask Discord if a user is a member of a server and sees a place there. Nobody is said to see a private thread.

    Raises NotConnected and DISCORD_ERRORS.
    """
    if place.guild is None:
        return False
    try:
        guild = clients.get_guild(place.guild) or await clients.fetch_guild(place.guild)
        channel = await _seen_channel(guild, place.channel)
        return channel is not None and channel.permissions_for(await guild.fetch_member(user)).view_channel
    except (discord.NotFound, discord.Forbidden):
        return False  # The member or the bot has left the server.


async def is_open_to_readers(clients: Clients, place: Place, channel: DiscordId) -> bool:
    """Return True if everybody who sees a channel also sees a place of the same server. Raises DISCORD_ERRORS.

    Of two channels this is so if everybody sees the place, or if each member and each role that its overwrites or those
    of the channel name sees no less of it than of the channel.
    """
    guild = clients.get_guild(place.guild)
    if place.channel == channel or guild is None:
        return place.channel == channel
    here, there = await _seen_channel(guild, channel), await _seen_channel(guild, place.channel)
    if here is None or there is None:
        return here is None  # Nobody reads a channel that is gone.
    seeing, reading = _views(there), _views(here)
    by_default = seeing.get(guild.id) or guild.default_role.permissions.view_channel
    if by_default and False not in seeing.values():
        return True
    order = (False, None, True)
    return all(order.index(seeing.get(it)) >= order.index(reading.get(it)) for it in {*seeing, *reading})


async def _seen_channel(guild: discord.Guild, channel: DiscordId) -> discord.abc.GuildChannel | None:
    """Return a channel, or that of a thread, whose permissions say who sees it. Raises DISCORD_ERRORS.

    None for a private thread, and for a channel that Discord does not show the bot.
    """
    try:
        found = guild.get_channel_or_thread(channel) or await guild.fetch_channel(channel)
        if isinstance(found, discord.Thread):
            if found.is_private():
                return None
            found = guild.get_channel(found.parent_id) or await guild.fetch_channel(found.parent_id)
    except (discord.NotFound, discord.Forbidden):
        return None
    return found if isinstance(found, discord.abc.GuildChannel) else None


def _views(channel: discord.abc.GuildChannel) -> dict[DiscordId, bool | None]:
    """Return by id of a role or a member if an overwrite of a channel lets them see it; None if it says nothing.

    This bot and the roles of bots are left out.
    """
    own = channel.guild.me.id
    return {
        target.id: overwrite.view_channel
        for target, overwrite in channel.overwrites.items()
        if target.id != own and not (isinstance(target, discord.Role) and target.is_bot_managed())
    }


class PermissionAlerts:
    """Reports missing permissions in a channel of the server, or in a direct message to its owner."""

    def __init__(
        self, clients: Clients, alerts: Alerts, preferences: Preferences, direct_messages: DirectMessages
    ) -> None:
        self._clients = clients
        self._alerts = alerts
        self._preferences = preferences
        self._direct_messages = direct_messages

    def missing_at(self, place: Place, *, pictures: bool = True) -> str:
        """Return the permissions that the bot lacks for posting at a place, as Discord names them; "" if none."""
        guild = self._clients.get_guild(place.guild)
        if guild is None:
            return ""
        channel, thread = permission_channel(guild, place)
        return missing_permissions(guild, channel, posting_permissions(thread=thread, pictures=pictures))

    async def refusal(
        self, error: discord.HTTPException, place: Place, *, pictures: bool = True, purpose: str = "games"
    ) -> Refused:
        """Return why Discord refused a message at a place, and report a missing permission.

        Raises `error` if neither a permission nor a locked thread is the reason.
        """
        if is_closed(error):
            reason = LOCKED
        elif isinstance(error, discord.Forbidden):
            reason = await self.report(place, pictures=pictures, purpose=purpose)
        else:
            raise error
        return Refused(f"I may not post in <#{place.channel}>: {reason}.")

    async def report(self, place: Place, *, pictures: bool = True, purpose: str = "games") -> str:
        """Report that Discord refused a message at a place, and return the reason in a few words.

        `purpose` says what the place is needed for.
        """
        lacked = self.missing_at(place, pictures=pictures)
        if not lacked and self._is_private(place):
            return "I am not in this private thread. Mention me once in it so that I am added"
        if not lacked:
            return f"I need {permission_list(posting_permissions(thread=place.parent is not None, pictures=pictures))}"
        await self.alert(place, lacked, purpose)
        return f"I lack {lacked}"

    async def check(self, interaction: discord.Interaction[Any], place: Place) -> None:
        """Raise Refused if the boards of a game that begins with this interaction could not be shown."""
        if place.guild is None or not interaction.is_guild_integration():
            return
        await check_thread(interaction)
        held = interaction.app_permissions
        if getattr(interaction.channel, "locked", False) and not_held(held, ["manage_threads"]):
            raise Refused(f"I cannot show the boards of a game here: {LOCKED}.")
        lacked = not_held(held, posting_permissions(thread=place.parent is not None))
        if not lacked or (await self._opens_threads(place) and not not_held(held, OWN_THREAD)):
            return
        await self.alert(place, lacked)
        raise Refused(
            f"I cannot show the boards of a game here: I lack {lacked}; "
            "somebody who manages this server can grant that, or you can play in another channel."
        )

    async def _opens_threads(self, place: Place) -> bool:
        """Return True if a game that begins at a place gets a thread of its own."""
        channel = self._clients.get_channel(place.guild, place.channel)
        # Threads and voice channels have no threads.
        return (
            isinstance(channel, discord.TextChannel) and (await self._preferences.guild(place.guild)).threads
        )

    async def alert(self, place: Place, lacked: str, purpose: str = "games") -> None:
        """Report the missing permissions at a place, once a day at most."""
        guild = self._clients.get_guild(place.guild)
        if guild is None:
            return
        channel, _ = permission_channel(guild, place)
        if not await self._alerts.due(guild.id, channel):
            return
        log.warning("permission.missing", guild=guild.id, channel=channel, lacked=lacked)
        if guild.get_channel(channel) is None:
            text = (
                f"<#{channel}> is gone, and I need it for {purpose}. Anyone who manages this server can choose another "
                "channel in `/settings`. I write this at most once a day."
            )
        else:
            text = (
                f"In <#{channel}> I lack {lacked}, which I need there for {purpose}. Anyone who can change that "
                "channel's permissions can grant this; `/settings` shows what else is missing. I write this at most "
                "once a day."
            )
        if await self._post_in_channel(guild, text) or await self._write_to_owner(guild, text):
            return
        log.warning("permission.not_reported", guild=guild.id, channel=channel)

    def _is_private(self, place: Place) -> bool:
        """Return True if a place is a private thread that the bot has been in since its start."""
        guild = self._clients.get_guild(place.guild)
        thread = None if guild is None else guild.get_thread(place.channel)
        return thread is not None and thread.is_private()

    async def _post_in_channel(self, guild: discord.Guild, text: str) -> bool:
        """Post in the first channel that accepts it: of moderators, of system messages, of results."""
        results = (await self._preferences.guild(guild.id)).results
        chosen = None if results is None else guild.get_channel(results)
        for channel in (guild.public_updates_channel, guild.system_channel, chosen):
            if not isinstance(channel, discord.TextChannel):
                continue
            missing = missing_permissions(guild, channel.id, ("view_channel", "send_messages"))
            if not missing and await _send(channel, text):
                return True
        return False

    async def _write_to_owner(self, guild: discord.Guild, text: str) -> bool:
        if guild.owner_id is None:
            return False
        named = f"**{discord.utils.escape_markdown(guild.name)}**: {text}"
        try:
            # Direct messages to players have priority; `/settings` shows what is missing.
            await self._direct_messages.send(guild.owner_id, named, patient=False)
        except (NotDelivered, NotYet, *DISCORD_ERRORS):
            return False
        return True


async def _send(channel: discord.abc.Messageable, text: str) -> bool:
    try:
        await channel.send(text, allowed_mentions=NOBODY)
    except DISCORD_ERRORS:
        return False
    return True
