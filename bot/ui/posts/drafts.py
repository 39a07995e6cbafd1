"""The content that a post is to have, and why it cannot be published."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

import discord
from discord import ui

from bot.app.errors import Refused
from db.values.places import DiscordId, Place


class ChannelGone(Refused):
    """The channel of a post no longer exists. The post is not published again before it changes."""


@dataclass(frozen=True, slots=True)
class Draft:
    """The content that a post is to have, and the place where it belongs."""

    place: Place
    view: ui.LayoutView
    files: Callable[[], Awaitable[Sequence[discord.File]]]
    """Draws the files. It is called again for each request, since a file is sent once."""
    progress: int = 0
    """The progress of the post once it is shown."""
    notify: Sequence[DiscordId] = ()
    """Users whom the message mentions if it is posted, not if it is edited."""
    call: str = ""
    """The mention of a role, or ""; as `notify`."""
    anew: bool = False
    """True if the message is posted again at the end of its channel, and the message before is deleted."""
    reopens: bool = False
    """True if a message in an archived thread is posted again, which unarchives the thread, instead of being edited."""
    edit_only: bool = False
    """True if a message that may exist is changed, but none is posted."""
    final: bool = False
    """True if the post never changes again, so that the outbox forgets it."""
