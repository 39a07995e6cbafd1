"""The tables, one module per subject. Each must be imported here so that migrations see it."""

from db.models.achievements import AwardRow
from db.models.administration import AdminActionRow, AnnouncementOfOwnerRow, BanRow
from db.models.base import Base
from db.models.challenges import CONCERNED, OPEN, ChallengeRow, ParticipantRow
from db.models.clocks import AliveRow
from db.models.direct_messages import DirectMessageRow
from db.models.failed_items import FailedItemRow
from db.models.lessons import LessonRow
from db.models.matches.matches import (
    FACED,
    FINISHED,
    PLAYED,
    PLAYING,
    REMINDED,
    RUNNING,
    TICKING,
    UNKEYED,
    UNSEARCHED,
    MatchRow,
    PlyRow,
    SeatRow,
)
from db.models.members import BlockRow, MemberRow
from db.models.moments import MomentRow
from db.models.posts import PENDING, PostRow
from db.models.proposals import PROPOSED, ConsentRow, ProposalRow
from db.models.puzzles import PuzzleAttemptRow, PuzzleDayRow, PuzzleSkillRow, PuzzleSolverRow
from db.models.servers import PODIUM, PUZZLES, AlertRow, DepartureRow, ServerRow
from db.models.standings import (
    LISTED,
    CorrectedSkillRow,
    OutdatedRatingsRow,
    RatedRow,
    RatedSeatRow,
    RatingJobRow,
    RatingRow,
    RevertedSeatRow,
    TallyRow,
)

__all__ = [
    "CONCERNED",
    "FACED",
    "FINISHED",
    "LISTED",
    "OPEN",
    "PENDING",
    "PLAYED",
    "PLAYING",
    "PODIUM",
    "PROPOSED",
    "PUZZLES",
    "REMINDED",
    "RUNNING",
    "TICKING",
    "UNKEYED",
    "UNSEARCHED",
    "AdminActionRow",
    "AlertRow",
    "AliveRow",
    "AnnouncementOfOwnerRow",
    "AwardRow",
    "BanRow",
    "Base",
    "BlockRow",
    "ChallengeRow",
    "ConsentRow",
    "CorrectedSkillRow",
    "DepartureRow",
    "DirectMessageRow",
    "FailedItemRow",
    "LessonRow",
    "MatchRow",
    "MemberRow",
    "MomentRow",
    "OutdatedRatingsRow",
    "ParticipantRow",
    "PlyRow",
    "PostRow",
    "ProposalRow",
    "PuzzleAttemptRow",
    "PuzzleDayRow",
    "PuzzleSkillRow",
    "PuzzleSolverRow",
    "RatedRow",
    "RatedSeatRow",
    "RatingJobRow",
    "RatingRow",
    "RevertedSeatRow",
    "SeatRow",
    "ServerRow",
    "TallyRow",
]
