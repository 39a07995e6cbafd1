"""The whole store as one protocol."""

from typing import Protocol

from db.api.achievements import AchievementStore
from db.api.administration import AdministrationStore
from db.api.challenges import ChallengeStore
from db.api.clocks import ClockStore
from db.api.computers import ComputerStore
from db.api.direct_messages import DirectMessageStore
from db.api.failed_items import FailedItemStore
from db.api.lessons import LessonStore
from db.api.matches.backlog import BacklogStore
from db.api.matches.history import HistoryStore
from db.api.matches.lists import MatchListStore
from db.api.matches.matches import MatchStore
from db.api.matches.positions import PositionStore
from db.api.members.members import MemberStore
from db.api.members.privacy import PrivacyStore
from db.api.moments import MomentStore
from db.api.posts import PostStore
from db.api.proposals import ProposalStore
from db.api.puzzles import PuzzleStore
from db.api.retention import RetentionStore
from db.api.servers import ServerStore
from db.api.standings.leaderboards import ExpiredLeaderboardStore, LeaderboardStore
from db.api.standings.profiles import ProfileStore
from db.api.standings.ratings import RatingStore


class Store(
    AchievementStore,
    AdministrationStore,
    BacklogStore,
    ChallengeStore,
    ClockStore,
    ComputerStore,
    DirectMessageStore,
    ExpiredLeaderboardStore,
    FailedItemStore,
    HistoryStore,
    LeaderboardStore,
    LessonStore,
    MatchListStore,
    MatchStore,
    MemberStore,
    MomentStore,
    PostStore,
    PositionStore,
    PrivacyStore,
    ProfileStore,
    ProposalStore,
    PuzzleStore,
    RatingStore,
    RetentionStore,
    ServerStore,
    Protocol,
):
    """Everything that outlives the process."""
