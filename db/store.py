"""The whole store in an SQL database."""

from db.stores.achievements import AchievementPart
from db.stores.administration import AdministrationPart
from db.stores.challenges import ChallengePart
from db.stores.clocks import ClockPart
from db.stores.computers import ComputerPart
from db.stores.direct_messages import DirectMessagePart
from db.stores.failed_items import FailedItemPart
from db.stores.lessons import LessonPart
from db.stores.matches.backlog import BacklogPart
from db.stores.matches.history import HistoryPart
from db.stores.matches.lists import MatchListPart
from db.stores.matches.matches import MatchPart
from db.stores.matches.positions import PositionPart
from db.stores.members.members import MemberPart
from db.stores.members.privacy import PrivacyPart
from db.stores.moments import MomentPart
from db.stores.posts import PostPart
from db.stores.proposals import ProposalPart
from db.stores.puzzles import PuzzlePart
from db.stores.retention import RetentionPart
from db.stores.servers import ServerPart
from db.stores.standings.expired_boards import ExpiredLeaderboardPart
from db.stores.standings.leaderboards import LeaderboardPart
from db.stores.standings.profiles import ProfilePart
from db.stores.standings.ratings.read import RatingReadPart
from db.stores.standings.ratings.rebuild import RatingRebuildPart
from db.stores.standings.ratings.recompute import RatingRecomputePart


class SqlStore(
    AchievementPart,
    AdministrationPart,
    BacklogPart,
    ChallengePart,
    ClockPart,
    ComputerPart,
    DirectMessagePart,
    ExpiredLeaderboardPart,
    FailedItemPart,
    HistoryPart,
    LeaderboardPart,
    LessonPart,
    MatchListPart,
    MatchPart,
    MemberPart,
    MomentPart,
    PostPart,
    PositionPart,
    PrivacyPart,
    ProfilePart,
    ProposalPart,
    PuzzlePart,
    RatingReadPart,
    RatingRebuildPart,
    RatingRecomputePart,
    RetentionPart,
    ServerPart,
):
    """The store that implements db.api.store.Store; each part is one module of db.stores."""
