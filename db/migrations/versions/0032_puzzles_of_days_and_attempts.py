"""The puzzles of days, the attempts of members at puzzles, and skills at puzzles.

Revision ID: 0032
Revises: 0031
"""

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "puzzle_days",
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("puzzle", sa.String(), nullable=False),
        sa.CheckConstraint("puzzle <> ''", name=op.f("ck_puzzle_days_named")),
        sa.PrimaryKeyConstraint("day", name=op.f("pk_puzzle_days")),
    )
    op.create_index(op.f("ix_puzzle_days_puzzle"), "puzzle_days", ["puzzle"])
    op.create_table(
        "puzzle_attempts",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("puzzle", sa.String(), nullable=False),
        sa.Column("guild", sa.BigInteger(), nullable=True),
        sa.Column("moves", sa.Text(), nullable=False),
        sa.Column("solved", sa.Boolean(), nullable=True),
        sa.Column("begun_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("again", sa.Text(), nullable=True),
        sa.CheckConstraint(
            "(solved IS NULL) = (ended_at IS NULL)", name=op.f("ck_puzzle_attempts_ended_or_not")
        ),
        sa.PrimaryKeyConstraint("user_id", "puzzle", name=op.f("pk_puzzle_attempts")),
    )
    op.create_index(op.f("ix_puzzle_attempts_puzzle_ended_at"), "puzzle_attempts", ["puzzle", "ended_at"])
    op.create_table(
        "puzzle_solvers",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("mu", sa.Double(), nullable=False),
        sa.Column("sigma", sa.Double(), nullable=False),
        sa.Column("ended", sa.Integer(), nullable=False),
        sa.Column("solved", sa.Integer(), nullable=False),
        sa.CheckConstraint("solved <= ended", name=op.f("ck_puzzle_solvers_solved_of_ended")),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_puzzle_solvers")),
    )
    op.create_table(
        "puzzle_skills",
        sa.Column("puzzle", sa.String(), nullable=False),
        sa.Column("mu", sa.Double(), nullable=False),
        sa.Column("sigma", sa.Double(), nullable=False),
        sa.CheckConstraint("sigma > 0", name=op.f("ck_puzzle_skills_uncertain")),
        sa.PrimaryKeyConstraint("puzzle", name=op.f("pk_puzzle_skills")),
    )


def downgrade() -> None:
    for table in ("puzzle_skills", "puzzle_solvers", "puzzle_attempts", "puzzle_days"):
        op.drop_table(table)
