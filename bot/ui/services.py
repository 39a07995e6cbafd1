"""The services that talk to Discord: posting, notifying, and drawing films."""

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import discord

from bot.app.matches.loaded import LoadedMatch
from bot.app.services import Services
from bot.ui.components.film_worker import FilmWorker
from bot.ui.components.message_parts import Rows
from bot.ui.posts.answers import Meter, PrivateAnswers, RunningAnswers
from bot.ui.posts.clients import Clients
from bot.ui.posts.direct_messages import DirectMessages
from bot.ui.posts.member_names import MemberNames
from bot.ui.posts.outbox import DraftPublisher, Outbox
from bot.ui.posts.permissions import PermissionAlerts
from bot.ui.posts.posting import Posting
from bot.ui.posts.turn_notices import TurnNotices
from db.values.places import DiscordId


@dataclass(frozen=True, slots=True)
class Links:
    """The addresses of the operator's pages, and a channel; None for those that the operator has not named."""

    privacy: str | None = None
    terms: str | None = None
    support: str | None = None
    feedback: DiscordId | None = None
    """The channel in which members' feedback is posted."""

    @property
    def line(self) -> tuple[str, ...]:
        """Return the line of links below an answer; empty if there are no links."""
        named = ("Privacy policy", self.privacy), ("Terms", self.terms), ("Support", self.support)
        links = [f"[{name}]({address})" for name, address in named if address is not None]
        return (f"-# {' · '.join(links)}",) if links else ()

    @property
    def contact(self) -> str:
        """Return the sentence by which a member learns how to reach the operator."""
        if self.support is not None:
            return f"You can reach them by the [support page]({self.support})."
        return "The person who added me, to a server or for themselves, knows how to reach them."


NO_LINKS = Links()


class Display(Protocol):
    """Shows matches and challenges in Discord. The class is above this layer (bot.ui.matches.boards).

    All calls can be repeated, and never change a match. What cannot be shown now is shown later by the outbox or, where
    the bot is not a member, by the next interaction there. Methods raise Refused if the bot may not post, and
    DISCORD_ERRORS.
    """

    async def show(self, match: int, known: LoadedMatch | None = None, *, again: bool = False) -> None:
        """Show the board of a match; with `again` at the end of its channel, without notifying anybody.

        `known` is the match as it was just stored, which saves reading it.
        """

    async def choose(self, loaded: LoadedMatch, text: str, rows: Rows, picture: discord.File) -> None:
        """Show the controls of a move that takes several presses on the private board that is being used.

        `text` is the question, and `picture` the board with the choices marked.
        """

    async def restore(self, match: int) -> None:
        """Show a private board again as it was before the first press of a move."""

    async def invite(self, challenge: int, *, again: bool = False) -> None:
        """Show the card of a challenge; with `again` at the end of its channel, without notifying anybody."""

    async def deliver(self, interaction: discord.Interaction[Any]) -> None:
        """Publish the posts that wait for an interaction at this place, where the bot is not a member."""


TOUCHES_REMEMBERED = 10_000
"""Members of whom it is remembered at which match they opened the Activity."""


class TouchedMatches:
    """The matches at which members opened the Activity. Discord does not tell it which button was pressed."""

    def __init__(self, application: int) -> None:
        self._application = application
        self._matches: OrderedDict[DiscordId, int] = OrderedDict()

    def link(self, match: int) -> str:
        """Return the address that opens the Activity at a match."""
        return f"https://discord.com/activities/{self._application}?custom_id={match}"

    def of(self, user: DiscordId) -> int | None:
        """Return the match at which a member opened the Activity last, or None."""
        return self._matches.get(user) or None

    def remember(self, user: DiscordId, match: int) -> None:
        """Remember at which match a member opens the Activity; 0 for none."""
        self._matches[user] = match
        self._matches.move_to_end(user)
        if len(self._matches) > TOUCHES_REMEMBERED:
            self._matches.popitem(last=False)


@dataclass(frozen=True, slots=True)
class UiServices:
    """The services that talk to Discord."""

    posting: Posting
    outbox: Outbox
    permission_alerts: PermissionAlerts
    turn_notices: TurnNotices
    member_names: MemberNames
    direct_messages: DirectMessages
    film_worker: FilmWorker = field(default_factory=FilmWorker)
    running_answers: RunningAnswers = field(default_factory=RunningAnswers)
    private_answers: PrivateAnswers = field(default_factory=PrivateAnswers)
    clients: Clients = field(default_factory=Clients)
    meter: Meter = field(default_factory=Meter)
    links: Links = field(default_factory=Links)
    touched_matches: TouchedMatches | None = None
    """None without an Activity."""
    remarks: Sequence[Callable[[Any], Awaitable[Any]]] = ()
    """A `Remark` runs after every answer."""


class ServicePublisher(DraftPublisher):
    """A publisher that reads the content of its posts by the services."""

    def __init__(self, outbox: Outbox, services: Services, ui_services: UiServices) -> None:
        super().__init__(outbox)
        self._services, self._ui_services = services, ui_services
        self._preferences = services.preferences
        self._turn_notices = ui_services.turn_notices
        self._member_names = ui_services.member_names
        self._clients = ui_services.clients
