"""Puzzle runs of members."""

import sqlalchemy as sa
from alembic import op

revision = "0052"
down_revision = "0051"


def upgrade() -> None:
    op.create_table(
        "puzzle_runs",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("guild", sa.BigInteger(), nullable=True),
        sa.Column("begun_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("puzzle", sa.String(), nullable=False),
        sa.Column("moves", sa.Text(), nullable=False),
        sa.Column("solved", sa.Integer(), nullable=False),
        sa.Column("mistakes", sa.Integer(), nullable=False),
        sa.CheckConstraint("solved >= 0 AND mistakes >= 0", name=op.f("ck_puzzle_runs_from_zero")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_puzzle_runs")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("puzzle_runs", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_puzzle_runs_guild_begun_at"), ["guild", "begun_at"], unique=False
        )
        batch_op.create_index(
            batch_op.f("ix_puzzle_runs_user_id_begun_at"), ["user_id", "begun_at"], unique=False
        )
