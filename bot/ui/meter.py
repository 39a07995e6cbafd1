"""Counts of interactions and direct messages. bot.monitoring has a meter that exports them."""

from enum import StrEnum
from typing import Any, cast

import aiohttp
import discord


class Kind(StrEnum):
    """The kinds of interactions."""

    COMMAND = "command"
    COMPLETION = "completion"
    BUTTON = "button"
    MENU = "menu"
    FORM = "form"


class Outcome(StrEnum):
    """The ways in which interactions end."""

    ANSWERED = "answered"
    REFUSED = "refused"
    """The member was told why it is not possible."""
    TURNED_AWAY = "turned away"
    """Too many answers to the member were under way."""
    FAILED = "failed"
    """An error of ours or of Discord."""
    LATE = "late"
    """Discord accepted no answer any more."""


class DirectOutcome(StrEnum):
    """The outcomes of attempts to send a direct message."""

    SENT = "sent"
    CLOSED = "closed"
    """The member accepts no direct messages from the bot (50007)."""
    NO_SHARED_SERVER = "no shared server"
    """The member shares no server with the bot (50278)."""
    TOO_FAST = "too fast"
    """The bot opens direct messages too fast (40003)."""
    QUARANTINED = "quarantined"
    """Discord has quarantined the bot as a suspected spammer, so it cannot open direct messages (20026)."""
    PAUSED = "paused"
    """Not sent, because Discord refused earlier messages or too many messages are queued."""
    REFUSED = "refused"
    """Refused with another code."""


class Meter:
    """The meter of a bot without monitoring, which counts nothing."""

    requests: aiohttp.TraceConfig | None = None
    """The tracing of requests to Discord."""

    def interaction_ended(self, interaction: discord.Interaction[Any], outcome: Outcome) -> None:
        """Count an interaction that has just ended."""

    def direct_message(self, outcome: DirectOutcome) -> None:
        """Count an attempt to send a direct message."""


def kind_of(interaction: discord.Interaction[Any]) -> Kind:
    """Return the kind of an interaction."""
    match interaction.type:
        case discord.InteractionType.autocomplete:
            return Kind.COMPLETION
        case discord.InteractionType.modal_submit:
            return Kind.FORM
        case discord.InteractionType.component:
            data = cast("dict[str, Any]", interaction.data)
            return Kind.BUTTON if data["component_type"] == discord.ComponentType.button.value else Kind.MENU
    return Kind.COMMAND


def age(created: int) -> float:
    """Return the seconds since an id of Discord was created, by the clock of this machine; at least 0."""
    return max(0.0, (discord.utils.utcnow() - discord.utils.snowflake_time(created)).total_seconds())
