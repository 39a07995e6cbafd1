"""The whole store as one protocol."""

from typing import Protocol

from db.api.achievements import AchievementStore
from db.api.announcements import AnnouncementStore
from db.api.challenges import ChallengeStore
from db.api.clocks import ClockStore
from db.api.computers import ComputerStore
from db.api.history import HistoryStore
from db.api.leaderboards import ExpiredLeaderboardStore, LeaderboardStore
from db.api.matches import MatchStore
from db.api.members import MemberStore
from db.api.passing_messages import PassingMessageStore
from db.api.privacy import PrivacyStore
from db.api.profiles import ProfileStore
from db.api.proposals import ProposalStore
from db.api.ratings import RatingStore
from db.api.servers import ServerStore


class Store(
    AchievementStore,
    AnnouncementStore,
    ChallengeStore,
    ClockStore,
    ComputerStore,
    ExpiredLeaderboardStore,
    HistoryStore,
    LeaderboardStore,
    MatchStore,
    MemberStore,
    PassingMessageStore,
    PrivacyStore,
    ProfileStore,
    ProposalStore,
    RatingStore,
    ServerStore,
    Protocol,
):
    """Everything that outlives the process."""
