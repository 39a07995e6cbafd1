"""Ratings, and whether a match counts for them.

What was played before counts: `python -m bot.rerate` rates it.

Revision ID: 0016
Revises: 0015
"""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "ratings",
        sa.Column("guild", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("period", sa.String(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("mu", sa.Double(), nullable=False),
        sa.Column("sigma", sa.Double(), nullable=False),
        sa.Column("score", sa.Integer(), nullable=False),
        sa.Column("won", sa.Integer(), nullable=False),
        sa.Column("drawn", sa.Integer(), nullable=False),
        sa.Column("lost", sa.Integer(), nullable=False),
        sa.Column("week", sa.Integer(), nullable=False),
        sa.Column("was", sa.Integer(), nullable=True),
        sa.CheckConstraint("won >= 0 AND drawn >= 0 AND lost >= 0", name=op.f("ck_ratings_counted")),
        sa.PrimaryKeyConstraint("guild", "period", "game", "user_id", name=op.f("pk_ratings")),
    )
    op.create_index("ix_ratings_board", "ratings", ["guild", "period", "game", "score", "user_id"])
    op.create_index("ix_ratings_user_id", "ratings", ["user_id"])
    op.create_table(
        "tallies",
        sa.Column("guild", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("period", sa.String(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("score", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("members", sa.Integer(), nullable=False),
        sa.Column("week", sa.Integer(), nullable=False),
        sa.Column("gained", sa.Integer(), nullable=False),
        sa.CheckConstraint("week >= 0", name=op.f("ck_tallies_dated")),
        sa.PrimaryKeyConstraint("guild", "period", "game", "score", name=op.f("pk_tallies")),
    )
    op.create_table(
        "rated",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("weight", sa.Double(), nullable=False),
        sa.CheckConstraint("weight BETWEEN 0 AND 1", name=op.f("ck_rated_share")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rated")),
        sa.UniqueConstraint("match_id", name=op.f("uq_rated_match_id")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "rated_seats",
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("rank", sa.Integer(), nullable=False),
        sa.Column("before", sa.LargeBinary(), nullable=False),
        sa.CheckConstraint("rank > 0", name=op.f("ck_rated_seats_from_one")),
        sa.ForeignKeyConstraint(["match_id"], ["rated.match_id"], name=op.f("fk_rated_seats_match_id")),
        sa.PrimaryKeyConstraint("match_id", "seat", name=op.f("pk_rated_seats")),
    )
    op.create_index("ix_rated_seats_user_id_at", "rated_seats", ["user_id", "at"])
    for table in ("challenges", "matches"):
        op.add_column(table, sa.Column("rated", sa.Boolean(), server_default=sa.true(), nullable=False))
    op.add_column("matches", sa.Column("voided_at", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    op.drop_column("matches", "voided_at")
    for table in ("matches", "challenges"):
        op.drop_column(table, "rated")
    for table in ("rated_seats", "rated", "tallies", "ratings"):
        op.drop_table(table)
