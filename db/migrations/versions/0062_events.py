"""Events: cups, with their entrants, stages, pairings and deeds."""

import sqlalchemy as sa
from alembic import op

revision = "0062"
down_revision = "0061"

UNFINISHED = sa.text("ended_at IS NULL")
CORRECTIONS = "corrected IN ('first', 'drawn', 'second', 'none')"


def upgrade() -> None:
    op.create_table(
        "events",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("guild", sa.BigInteger, nullable=False),
        sa.Column("channel", sa.BigInteger, nullable=False),
        sa.Column("home", sa.BigInteger),
        sa.Column("organiser", sa.BigInteger, nullable=False),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("pace", sa.Text),
        sa.Column("rated", sa.Boolean, nullable=False),
        sa.Column("most", sa.Integer, nullable=False),
        sa.Column("computers", sa.Integer, nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("version", sa.Integer, server_default="1", nullable=False),
        sa.Column("late", sa.Boolean, server_default=sa.false(), nullable=False),
        sa.Column("starts_at", sa.DateTime(timezone=True)),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True)),
        sa.CheckConstraint("(state IN ('open', 'running')) = (ended_at IS NULL)", name="ends_once"),
        sa.CheckConstraint("most > 1", name="somebody_plays"),
        sa.CheckConstraint("state IN ('open', 'running', 'over', 'cancelled')", name="eventstate"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_events_guild", "events", ["guild"])
    op.create_index("ix_events_organiser", "events", ["organiser"])
    _partial_index("ix_events_unfinished_due_at", "events", "due_at", UNFINISHED)
    _partial_index("ix_events_unfinished_guild", "events", "guild", UNFINISHED)

    op.create_table(
        "deeds",
        sa.Column("event_id", sa.Integer, sa.ForeignKey("events.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("deed", sa.String(16), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("by_user", sa.BigInteger),
        sa.Column("whom", sa.BigInteger),
        sa.Column("match_id", sa.Integer),
        sa.Column("corrected", sa.String(16)),
        sa.CheckConstraint(CORRECTIONS, name="correction"),
        sa.CheckConstraint(
            "deed IN ('started', 'left', 'removed', 'absent', 'late', 'joined', 'corrected', 'ended')",
            name="deed",
        ),
    )
    for column in ("by_user", "whom"):
        _partial_index(f"ix_deeds_{column}", "deeds", column, sa.text(f"{column} IS NOT NULL"))

    op.create_table(
        "entrants",
        sa.Column("event_id", sa.Integer, sa.ForeignKey("events.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("user_id", sa.BigInteger, nullable=False),
        sa.Column("left_at", sa.DateTime(timezone=True)),
        sa.Column("annulled", sa.Boolean, server_default=sa.false(), nullable=False),
        sa.CheckConstraint("number >= 0", name="from_zero"),
    )
    op.create_index("ix_entrants_user_id", "entrants", ["user_id"])

    op.create_table(
        "stages",
        sa.Column("event_id", sa.Integer, sa.ForeignKey("events.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("ends_at > started_at", name="takes_time"),
        sa.CheckConstraint("number >= 0", name="from_zero"),
    )

    op.create_table(
        "pairings",
        sa.Column("event_id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("stage", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("first", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("second", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("group_number", sa.Integer, nullable=False),
        sa.Column("match_id", sa.Integer, sa.ForeignKey("matches.id"), unique=True, nullable=False),
        sa.Column("corrected", sa.String(16)),
        sa.CheckConstraint(CORRECTIONS, name="correction"),
        sa.CheckConstraint("first <> second", name="of_two"),
        sa.ForeignKeyConstraint(["event_id", "first"], ["entrants.event_id", "entrants.number"]),
        sa.ForeignKeyConstraint(["event_id", "second"], ["entrants.event_id", "entrants.number"]),
        sa.ForeignKeyConstraint(
            ["event_id", "stage"], ["stages.event_id", "stages.number"], ondelete="CASCADE"
        ),
    )

    for table, name, column, kinds in (
        (
            "posts",
            "postkind",
            "kind",
            "'board', 'card', 'event', 'result', 'void', 'podium', 'puzzle', 'moment'",
        ),
        (
            "direct_messages",
            "occasion",
            "occasion",
            "'turn', 'held', 'reminder', 'proposal', 'challenge', 'event', 'followed', 'digest'",
        ),
    ):
        with op.batch_alter_table(table, table_kwargs={"sqlite_autoincrement": True}) as batch_op:
            batch_op.drop_constraint(op.f(f"ck_{table}_{name}"), type_="check")
            batch_op.create_check_constraint(op.f(f"ck_{table}_{name}"), f"{column} IN ({kinds})")


def _partial_index(name: str, table: str, column: str, where: sa.TextClause) -> None:
    op.create_index(name, table, [column], sqlite_where=where, postgresql_where=where)
