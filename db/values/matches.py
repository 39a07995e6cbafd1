"""Matches as stored."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from db.values.clocks import Clocks, Pace
from db.values.places import DiscordId, Place
from rules.core.match import Ply, Setup


class Outcome(StrEnum):
    """How a match ended for one seat."""

    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class Panel:
    """The message that shows a match, and how many plies it shows."""

    channel: DiscordId
    message: DiscordId
    plies: int


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A match as stored: its record, who sits where, where it is played and shown."""

    id: int
    setup: Setup
    version: int
    place: Place
    users: tuple[DiscordId, ...]
    """By seat."""
    log: tuple[Ply, ...]
    """What happened, in order. An entry may say that earlier ones do not count any more (bot.app.matches.takebacks)."""
    salts: tuple[str | None, ...]
    """By entry of the log: what it is sealed with, if it is."""
    started_at: datetime
    finished_at: datetime | None
    outcomes: tuple[Outcome, ...] | None
    """By seat, once it is over."""
    panel: Panel | None
    times: tuple[datetime, ...] = ()
    """When each ply of the log was played."""
    pace: Pace | None = None
    clocks: Clocks = ()
    void: str | None = None
    """Why it was broken off or its result taken back, if it was; then it is finished without outcomes."""
    rated: bool = True
    """Whether those who play agreed that the result counts for their ratings."""


class MovedOn(Exception):
    """The match no longer stands at the ply that an append was made for; nothing was stored."""
