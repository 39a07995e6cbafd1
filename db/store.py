"""The whole store in an SQL database."""

from db.stores.alerts import AlertStore
from db.stores.awards import AwardStore
from db.stores.bygone import BygoneStore
from db.stores.challenges import ChallengeStore
from db.stores.clocks import ClockStore
from db.stores.departures import DepartureStore
from db.stores.guilds import GuildStore
from db.stores.history import HistoryStore
from db.stores.leaderboards import LeaderboardStore
from db.stores.matches import MatchStore
from db.stores.members import MemberStore
from db.stores.privacy import PrivacyStore
from db.stores.profiles import ProfileStore
from db.stores.proposals import ProposalStore
from db.stores.ratings import RatingStore
from db.stores.rerating import ReratingStore
from db.stores.tidings import TidingStore


class SqlStore(
    AlertStore,
    AwardStore,
    ChallengeStore,
    ClockStore,
    HistoryStore,
    MatchStore,
    TidingStore,
    ProposalStore,
    RatingStore,
    ReratingStore,
    LeaderboardStore,
    BygoneStore,
    ProfileStore,
    MemberStore,
    GuildStore,
    PrivacyStore,
    DepartureStore,
):
    """Everything that outlives the process; see db.stores, one module per subject."""
