"""The whole store in an SQL database."""

from db.stores.achievements import AchievementPart
from db.stores.announcements import AnnouncementPart
from db.stores.challenges import ChallengePart
from db.stores.clocks import ClockPart
from db.stores.computers import ComputerPart
from db.stores.expired_boards import ExpiredLeaderboardPart
from db.stores.history import HistoryPart
from db.stores.leaderboards import LeaderboardPart
from db.stores.matches import MatchPart
from db.stores.members import MemberPart
from db.stores.passing_messages import PassingMessagePart
from db.stores.privacy import PrivacyPart
from db.stores.profiles import ProfilePart
from db.stores.proposals import ProposalPart
from db.stores.ratings.read import RatingReadPart
from db.stores.ratings.rebuild import RatingRebuildPart
from db.stores.servers import ServerPart


class SqlStore(
    AchievementPart,
    AnnouncementPart,
    ChallengePart,
    ClockPart,
    ComputerPart,
    ExpiredLeaderboardPart,
    HistoryPart,
    LeaderboardPart,
    MatchPart,
    MemberPart,
    PassingMessagePart,
    PrivacyPart,
    ProfilePart,
    ProposalPart,
    RatingReadPart,
    RatingRebuildPart,
    ServerPart,
):
    """The store that implements db.api.store.Store; each part is one module of db.stores."""
