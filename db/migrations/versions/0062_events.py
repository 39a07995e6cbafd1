"""Events: cups, with their entrants, stages, pairings and deeds."""

import sqlalchemy as sa
from alembic import op

revision = "0062"
down_revision = "0061"


def upgrade() -> None:
    op.create_table(
        "events",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("guild", sa.BigInteger(), nullable=False),
        sa.Column("channel", sa.BigInteger(), nullable=False),
        sa.Column("home", sa.BigInteger(), nullable=True),
        sa.Column("organiser", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("pace", sa.Text(), nullable=True),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("most", sa.Integer(), nullable=False),
        sa.Column("computers", sa.Integer(), nullable=False),
        sa.Column(
            "state",
            sa.Enum(
                "open",
                "running",
                "over",
                "cancelled",
                name="eventstate",
                native_enum=False,
                create_constraint=True,
                length=16,
            ),
            nullable=False,
        ),
        sa.Column("version", sa.Integer(), server_default="1", nullable=False),
        sa.Column("late", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("starts_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "(state IN ('open', 'running')) = (ended_at IS NULL)", name=op.f("ck_events_ends_once")
        ),
        sa.CheckConstraint("most > 1", name=op.f("ck_events_somebody_plays")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_events")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("events", schema=None) as batch_op:
        batch_op.create_index("ix_events_guild", ["guild"], unique=False)
        batch_op.create_index("ix_events_organiser", ["organiser"], unique=False)
        batch_op.create_index(
            "ix_events_unfinished_due_at",
            ["due_at"],
            unique=False,
            sqlite_where=sa.text("ended_at IS NULL"),
            postgresql_where=sa.text("ended_at IS NULL"),
        )
        batch_op.create_index(
            "ix_events_unfinished_guild",
            ["guild"],
            unique=False,
            sqlite_where=sa.text("ended_at IS NULL"),
            postgresql_where=sa.text("ended_at IS NULL"),
        )

    op.create_table(
        "deeds",
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column(
            "deed",
            sa.Enum(
                "started",
                "left",
                "removed",
                "absent",
                "late",
                "joined",
                "corrected",
                "ended",
                name="deed",
                native_enum=False,
                create_constraint=True,
                length=16,
            ),
            nullable=False,
        ),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("by_user", sa.BigInteger(), nullable=True),
        sa.Column("whom", sa.BigInteger(), nullable=True),
        sa.Column("match_id", sa.Integer(), nullable=True),
        sa.Column(
            "corrected",
            sa.Enum(
                "first",
                "drawn",
                "second",
                "none",
                name="correction",
                native_enum=False,
                create_constraint=True,
                length=16,
            ),
            nullable=True,
        ),
        sa.ForeignKeyConstraint(
            ["event_id"], ["events.id"], name=op.f("fk_deeds_event_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("event_id", "number", name=op.f("pk_deeds")),
    )
    with op.batch_alter_table("deeds", schema=None) as batch_op:
        batch_op.create_index(
            "ix_deeds_by_user",
            ["by_user"],
            unique=False,
            sqlite_where=sa.text("by_user IS NOT NULL"),
            postgresql_where=sa.text("by_user IS NOT NULL"),
        )
        batch_op.create_index(
            "ix_deeds_whom",
            ["whom"],
            unique=False,
            sqlite_where=sa.text("whom IS NOT NULL"),
            postgresql_where=sa.text("whom IS NOT NULL"),
        )

    op.create_table(
        "entrants",
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("left_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("annulled", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.CheckConstraint("number >= 0", name=op.f("ck_entrants_from_zero")),
        sa.ForeignKeyConstraint(
            ["event_id"], ["events.id"], name=op.f("fk_entrants_event_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("event_id", "number", name=op.f("pk_entrants")),
    )
    with op.batch_alter_table("entrants", schema=None) as batch_op:
        batch_op.create_index("ix_entrants_user_id", ["user_id"], unique=False)

    op.create_table(
        "stages",
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("ends_at > started_at", name=op.f("ck_stages_takes_time")),
        sa.CheckConstraint("number >= 0", name=op.f("ck_stages_from_zero")),
        sa.ForeignKeyConstraint(
            ["event_id"], ["events.id"], name=op.f("fk_stages_event_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("event_id", "number", name=op.f("pk_stages")),
    )
    op.create_table(
        "pairings",
        sa.Column("event_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("stage", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("first", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("second", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("group_number", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column(
            "corrected",
            sa.Enum(
                "first",
                "drawn",
                "second",
                "none",
                name="correction",
                native_enum=False,
                create_constraint=True,
                length=16,
            ),
            nullable=True,
        ),
        sa.CheckConstraint("first <> second", name=op.f("ck_pairings_of_two")),
        sa.ForeignKeyConstraint(
            ["event_id", "first"],
            ["entrants.event_id", "entrants.number"],
            name=op.f("fk_pairings_event_id_first"),
        ),
        sa.ForeignKeyConstraint(
            ["event_id", "second"],
            ["entrants.event_id", "entrants.number"],
            name=op.f("fk_pairings_event_id_second"),
        ),
        sa.ForeignKeyConstraint(
            ["event_id", "stage"],
            ["stages.event_id", "stages.number"],
            name=op.f("fk_pairings_event_id_stage"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_pairings_match_id")),
        sa.PrimaryKeyConstraint("event_id", "stage", "first", "second", name=op.f("pk_pairings")),
        sa.UniqueConstraint("match_id", name=op.f("uq_pairings_match_id")),
    )
    for table, name, column, kinds in (
        (
            "posts",
            "postkind",
            "kind",
            ("board", "card", "event", "result", "void", "podium", "puzzle", "moment"),
        ),
        (
            "direct_messages",
            "occasion",
            "occasion",
            ("turn", "held", "reminder", "proposal", "challenge", "event", "followed", "digest"),
        ),
    ):
        with op.batch_alter_table(table, table_kwargs={"sqlite_autoincrement": True}) as batch_op:
            batch_op.drop_constraint(op.f(f"ck_{table}_{name}"), type_="check")
            allowed = ", ".join(f"'{kind}'" for kind in kinds)
            batch_op.create_check_constraint(op.f(f"ck_{table}_{name}"), f"{column} IN ({allowed})")
