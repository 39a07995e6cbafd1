"""The store: one object with a part for each subject."""

from db.sessions import Sessions
from db.stores.achievements import AchievementStore
from db.stores.administration import AdministrationStore, FailedItemStore
from db.stores.base import MatchCache
from db.stores.challenges import ChallengeStore
from db.stores.clocks import ClockStore
from db.stores.conditional import VariationStore
from db.stores.events import EventStore
from db.stores.matches.lists import FollowerStore, ForgottenStore, HistoryStore, MatchListStore
from db.stores.matches.matches import MatchStore
from db.stores.matches.positions import PositionStore
from db.stores.members import DigestStore, InterestStore, MemberStore
from db.stores.posts import DirectMessageStore, PostStore
from db.stores.privacy import PrivacyStore, RetentionStore
from db.stores.proposals import ProposalStore
from db.stores.puzzles import LessonStore, MomentStore, PuzzleRunStore, PuzzleStore, WeekStore
from db.stores.servers import ServerStore
from db.stores.standings.leaderboards import LeaderboardStore, ProfileStore
from db.stores.standings.ratings import RatingStore
from db.stores.titles import TitleStore
from db.stores.votes import VoteStore


class Store:
    """The store of everything that outlives the process, in an SQL database."""

    def __init__(self, sessions: Sessions) -> None:
        self.sessions = sessions
        cache = MatchCache()
        self.achievements = AchievementStore(sessions)
        self.administration = AdministrationStore(sessions)
        self.challenges = ChallengeStore(sessions)
        self.clocks = ClockStore(sessions)
        self.digests = DigestStore(sessions)
        self.direct_messages = DirectMessageStore(sessions)
        self.events = EventStore(sessions)
        self.titles = TitleStore(sessions)
        self.failed_items = FailedItemStore(sessions)
        self.followers = FollowerStore(sessions)
        self.forgotten = ForgottenStore(sessions)
        self.history = HistoryStore(sessions)
        self.interests = InterestStore(sessions)
        self.leaderboards = LeaderboardStore(sessions)
        self.lessons = LessonStore(sessions)
        self.lists = MatchListStore(sessions)
        self.matches = MatchStore(sessions, cache)
        self.members = MemberStore(sessions)
        self.moments = MomentStore(sessions)
        self.positions = PositionStore(sessions)
        self.posts = PostStore(sessions, cache)
        self.privacy = PrivacyStore(sessions)
        self.profiles = ProfileStore(sessions)
        self.proposals = ProposalStore(sessions)
        self.puzzle_runs = PuzzleRunStore(sessions)
        self.puzzles = PuzzleStore(sessions)
        self.ratings = RatingStore(sessions)
        self.retention = RetentionStore(sessions)
        self.servers = ServerStore(sessions)
        self.variations = VariationStore(sessions)
        self.votes = VoteStore(sessions)
        self.weeks = WeekStore(sessions)
