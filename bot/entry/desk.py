"""What buttons, selects and modals find behind the counter when they are used."""

from typing import Any, Protocol, cast

import discord

from bot.app.awards import Awards
from bot.app.challenges import Challenges
from bot.app.history import History
from bot.app.leaderboards import Leaderboards
from bot.app.matches import Matches
from bot.app.preferences import Preferences
from bot.app.privacy import Privacy
from bot.app.profiles import Profiles
from bot.app.proposals import Proposals
from bot.app.ratings import Ratings
from bot.app.records import Records
from bot.app.rematches import Rematches
from bot.entry.caller import Caller
from bot.entry.managers import Managers
from bot.entry.outlets import Outlets
from bot.entry.studio import Studio
from bot.entry.underway import Underway
from db.values import DiscordId, Place, Proposal


class Desk(Protocol):
    """The parts of the bot that an interaction may need; the client carries it as `desk`."""

    @property
    def matches(self) -> Matches: ...

    @property
    def ratings(self) -> Ratings: ...

    @property
    def awards(self) -> Awards: ...

    @property
    def challenges(self) -> Challenges: ...

    @property
    def rematches(self) -> Rematches: ...

    @property
    def proposals(self) -> Proposals: ...

    @property
    def preferences(self) -> Preferences: ...

    @property
    def privacy(self) -> Privacy: ...

    @property
    def history(self) -> History: ...

    @property
    def leaderboards(self) -> Leaderboards: ...

    @property
    def profiles(self) -> Profiles: ...

    @property
    def records(self) -> Records: ...

    @property
    def caller(self) -> Caller:
        """Who calls members, each in the way they chose."""

    @property
    def managers(self) -> Managers:
        """Who is told of permissions that are missing."""

    @property
    def outlets(self) -> Outlets:
        """How to post anywhere."""

    @property
    def studio(self) -> Studio:
        """Where animations are drawn."""

    @property
    def underway(self) -> Underway:
        """Which answers are to be finished before the bot stops."""

    async def theme(self, place: Place, user: DiscordId | None = None) -> str:
        """The name of the theme for a picture that everybody at a place sees, or that `user` alone sees."""

    async def show(self, match: int, *, again: bool = False) -> None:
        """Post the board of a match as it stands, unless its panel shows that already (`again`: even then).

        Where the bot is not, it is shown with the next interaction there. Raises Refused when the bot may not post.
        """

    async def refresh(self, match: int) -> None:
        """Mend the newest board of a match where it has changed otherwise than by a move, calling nobody."""

    async def announce(self, proposal: Proposal) -> None:
        """Post a proposal in its match's channel, or show on its message how it stands.

        Raises Refused when the bot may not post there.
        """

    async def deliver(self, interaction: discord.Interaction[Any]) -> None:
        """Where the bot is not, show with this interaction what has waited for one."""


class _HasDesk(Protocol):
    desk: Desk


def desk_of(interaction: discord.Interaction[Any]) -> Desk:
    """The desk of the client that received an interaction."""
    return cast(_HasDesk, interaction.client).desk


def place_of(interaction: discord.Interaction[Any]) -> Place:
    """Where an interaction happened.

    A server that the bot is not in, since only members have brought it along, is for us what direct messages are.
    """
    assert interaction.channel_id is not None
    guild = interaction.guild_id
    if guild is None or interaction.client.get_guild(guild) is None:
        return Place(None, interaction.channel_id)
    return Place(guild, interaction.channel_id, getattr(interaction.channel, "parent_id", None))
