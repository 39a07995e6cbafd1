"""What buttons, selects and modals find behind the counter when they are used."""

import asyncio
from typing import Any, Protocol, cast

import discord

from bot.app.awards import Awards
from bot.app.challenges.challenges import Challenges
from bot.app.challenges.rematches import Rematches
from bot.app.history import History
from bot.app.matches.matches import Matches
from bot.app.members.preferences import Preferences
from bot.app.members.privacy import Privacy
from bot.app.proposals import Proposals
from bot.app.records import Records
from bot.app.standings.leaderboards import Leaderboards
from bot.app.standings.profiles import Profiles
from bot.app.standings.ratings import Ratings
from bot.ui.kit.film_worker import Studio
from bot.ui.kit.permissions import Managers
from bot.ui.kit.posting import Outlets
from bot.ui.kit.turn_notices import Caller
from db.api.places import DiscordId, Place
from db.api.proposals import Proposal


class Underway:
    """The tasks that answer somebody just now."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    def begin(self) -> None:
        """The running task answers somebody, until it ends."""
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def finish(self, seconds: float) -> None:
        """Wait until all of them have ended, but not longer than so many seconds."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=seconds)


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
