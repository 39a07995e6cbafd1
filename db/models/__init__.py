"""The tables, one module per subject. Each must be imported here so that migrations see it."""

from db.models.administration import AdminActionRow, AliveRow, AnnouncementOfOwnerRow, BanRow, FailedItemRow
from db.models.base import Base
from db.models.challenges import CONCERNED, OPEN, STANDING, ChallengeRow, ParticipantRow
from db.models.events import (
    GIVEN,
    LEAGUE,
    UNFINISHED,
    WITHOUT_ROLE,
    DeedRow,
    EntrantRow,
    EventRow,
    PairingRow,
    StageRow,
    TitleRoleRow,
    TitleRow,
)
from db.models.matches import (
    FACED,
    FINISHED,
    PLAYED,
    PLAYING,
    REMINDED,
    RUNNING,
    TICKING,
    UNKEYED,
    UNSEARCHED,
    WAKING,
    AwardRow,
    FollowerRow,
    ForgottenRow,
    MatchRow,
    PlyRow,
    SeatRow,
    VariationRow,
)
from db.models.members import BlockRow, DigestRow, InterestRow, InterestServerRow, MemberRow
from db.models.posts import PENDING, DirectMessageRow, OpeningPaceRow, PostRow
from db.models.proposals import PROPOSED, ConsentRow, ProposalRow
from db.models.puzzles import (
    LessonRow,
    MomentRow,
    PuzzleAttemptRow,
    PuzzleDayRow,
    PuzzleRunRow,
    PuzzleSkillRow,
    PuzzleSolverRow,
)
from db.models.servers import LEAGUES, PODIUM, PUZZLES, AlertRow, DepartureRow, ExclusionRow, ServerRow
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
from db.models.votes import InvitationRow, VolunteerRow, VoteGameRow, VoteRow
