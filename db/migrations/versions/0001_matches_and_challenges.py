"""Matches with their seats and plies, and challenges.

Revision ID: 0001
Revises:
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "matches",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("players", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("guild", sa.BigInteger(), nullable=True),
        sa.Column("channel", sa.BigInteger(), nullable=False),
        sa.Column("plies", sa.Integer(), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("panel_channel", sa.BigInteger(), nullable=True),
        sa.Column("panel_message", sa.BigInteger(), nullable=True),
        sa.Column("panel_plies", sa.Integer(), nullable=True),
        sa.CheckConstraint("players > 0", name=op.f("ck_matches_somebody_plays")),
        sa.CheckConstraint("panel_plies BETWEEN 0 AND plies", name=op.f("ck_matches_shows_what_was_played")),
        sa.CheckConstraint(
            "(panel_message IS NULL) = (panel_channel IS NULL)"
            " AND (panel_message IS NULL) = (panel_plies IS NULL)",
            name=op.f("ck_matches_whole_panel"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_matches")),
        sqlite_autoincrement=True,
    )
    _partial_index("ix_matches_running_channel", "matches", ["channel"], "finished_at IS NULL")
    _partial_index("ix_matches_running_guild", "matches", ["guild"], "finished_at IS NULL")
    _partial_index("ix_matches_finished_guild_game", "matches", ["guild", "game"], "finished_at IS NOT NULL")
    _partial_index("ix_matches_unshown", "matches", ["id"], "panel_plies IS NULL OR panel_plies < plies")

    op.create_table(
        "seats",
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("outcome", sa.String(16), nullable=True),
        sa.CheckConstraint("seat >= 0", name=op.f("ck_seats_from_zero")),
        sa.CheckConstraint("outcome IN ('won', 'drawn', 'lost')", name=op.f("ck_seats_outcome")),
        sa.PrimaryKeyConstraint("match_id", "seat", name=op.f("pk_seats")),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name=op.f("fk_seats_match_id"), ondelete="CASCADE"
        ),
    )
    _partial_index("ix_seats_playing_user_id", "seats", ["user_id"], "outcome IS NULL")

    op.create_table(
        "plies",
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("ply", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("played_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("ply >= 0", name=op.f("ck_plies_from_zero")),
        sa.PrimaryKeyConstraint("match_id", "ply", name=op.f("pk_plies")),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name=op.f("fk_plies_match_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["match_id", "seat"], ["seats.match_id", "seats.seat"], name=op.f("fk_plies_match_id_seat")
        ),
    )

    op.create_table(
        "challenges",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("players", sa.Integer(), nullable=False),
        sa.Column("guild", sa.BigInteger(), nullable=True),
        sa.Column("channel", sa.BigInteger(), nullable=False),
        sa.Column("challenger", sa.BigInteger(), nullable=False),
        sa.Column("opponent", sa.BigInteger(), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("answer", sa.String(16), nullable=False),
        sa.Column("answered_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("message", sa.BigInteger(), nullable=True),
        sa.Column("match_id", sa.Integer(), nullable=True),
        sa.CheckConstraint("players > 0", name=op.f("ck_challenges_somebody_plays")),
        sa.CheckConstraint("expires_at >= made_at", name=op.f("ck_challenges_expires_later")),
        sa.CheckConstraint(
            "answer IN ('open', 'accepted', 'declined', 'withdrawn', 'expired')",
            name=op.f("ck_challenges_answer"),
        ),
        sa.CheckConstraint(
            "(answer = 'open') = (answered_at IS NULL)", name=op.f("ck_challenges_answered_once")
        ),
        sa.CheckConstraint(
            "(answer = 'accepted') = (match_id IS NOT NULL)", name=op.f("ck_challenges_accepted_is_a_match")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_challenges")),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_challenges_match_id")),
        sa.UniqueConstraint("match_id", name=op.f("uq_challenges_match_id")),
        sqlite_autoincrement=True,
    )
    for column in ("expires_at", "challenger", "opponent", "channel"):
        _partial_index(f"ix_challenges_open_{column}", "challenges", [column], "answered_at IS NULL")


def downgrade() -> None:
    for table in ("challenges", "plies", "seats", "matches"):
        op.drop_table(table)


def _partial_index(name: str, table: str, columns: list[str], where: str) -> None:
    condition = sa.text(where)
    op.create_index(name, table, columns, sqlite_where=condition, postgresql_where=condition)
