"""Moments of finished games, and which games were searched for them.

Revision ID: 0031
Revises: 0030
"""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None

UNSEARCHED = "finished_at IS NOT NULL AND guild IS NOT NULL AND void IS NULL AND searched IS {}"


def upgrade() -> None:
    op.add_column("matches", sa.Column("searched", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_index(
        "ix_matches_unsearched_finished_at",
        "matches",
        ["finished_at", "id"],
        sqlite_where=sa.text(UNSEARCHED.format("0")),
        postgresql_where=sa.text(UNSEARCHED.format("false")),
    )
    op.create_table(
        "moments",
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("ply", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("guild", sa.BigInteger(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("played", sa.String(), nullable=False),
        sa.Column("line", sa.Text(), nullable=False),
        sa.Column("value", sa.Double(), nullable=False),
        sa.Column("plies", sa.Integer(), nullable=False),
        sa.Column("worth", sa.Integer(), nullable=False),
        sa.CheckConstraint("ply >= 0", name=op.f("ck_moments_from_zero")),
        sa.CheckConstraint("user_id > 0", name=op.f("ck_moments_of_somebody")),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name=op.f("fk_moments_match_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("match_id", "ply", name=op.f("pk_moments")),
    )
    op.create_index("ix_moments_guild_match_id", "moments", ["guild", "match_id", "ply"])
    op.create_index("ix_moments_user_id", "moments", ["user_id"])


def downgrade() -> None:
    op.drop_table("moments")
    op.drop_index("ix_matches_unsearched_finished_at", "matches")
    op.drop_column("matches", "searched")
