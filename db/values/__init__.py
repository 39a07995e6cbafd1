"""What the store takes and gives: plain values, free of any database library. Times are aware and in UTC."""

from db.values.awards import Award, Earned
from db.values.challenges import (
    Answer,
    Answered,
    Challenge,
    NewChallenge,
    Order,
    Participant,
    Rematched,
    Reply,
    Terms,
)
from db.values.clocks import Clocks, ClocksMoved, Pace, Reminder, SeatClock, Ticking
from db.values.guilds import Guild, GuildChange
from db.values.history import Page, Search
from db.values.leaderboards import Era, Mark, Placed, Standings, Turn
from db.values.matches import MovedOn, Outcome, Panel, StoredMatch
from db.values.members import FOREVER, Member, MemberChange, Notice
from db.values.places import FORMER, DiscordId, Place, former
from db.values.privacy import Entangled, Erased, Tables
from db.values.profiles import Counts, Duels, Profile, Runs
from db.values.proposals import Matter, NewProposal, Proposal, Proposed, Settled
from db.values.ratings import (
    ALWAYS,
    EVERYWHERE,
    NEWCOMER,
    TOGETHER,
    Board,
    Bygone,
    Change,
    Held,
    RatedMatch,
    RatedSeat,
    Rating,
    Skill,
)

__all__ = [
    "ALWAYS",
    "EVERYWHERE",
    "FOREVER",
    "FORMER",
    "NEWCOMER",
    "TOGETHER",
    "Answer",
    "Answered",
    "Award",
    "Board",
    "Bygone",
    "Challenge",
    "Change",
    "Clocks",
    "ClocksMoved",
    "Counts",
    "DiscordId",
    "Duels",
    "Earned",
    "Entangled",
    "Era",
    "Erased",
    "Guild",
    "GuildChange",
    "Held",
    "Mark",
    "Matter",
    "Member",
    "MemberChange",
    "MovedOn",
    "NewChallenge",
    "NewProposal",
    "Notice",
    "Order",
    "Outcome",
    "Pace",
    "Page",
    "Panel",
    "Participant",
    "Place",
    "Placed",
    "Profile",
    "Proposal",
    "Proposed",
    "RatedMatch",
    "RatedSeat",
    "Rating",
    "Rematched",
    "Reminder",
    "Reply",
    "Runs",
    "Search",
    "SeatClock",
    "Settled",
    "Skill",
    "Standings",
    "StoredMatch",
    "Tables",
    "Terms",
    "Ticking",
    "Turn",
    "former",
]
