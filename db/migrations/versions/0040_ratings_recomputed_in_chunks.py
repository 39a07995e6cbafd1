"""The job that recomputes ratings after reverted results, chunk by chunk."""

import sqlalchemy as sa
from alembic import op

revision = "0040"
down_revision = "0039"


def upgrade() -> None:
    op.create_table(
        "rating_job",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("cursor", sa.Integer(), nullable=False),
        sa.CheckConstraint("id = 1", name=op.f("ck_rating_job_only_one")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rating_job")),
    )
    op.create_table(
        "reverted_seats",
        sa.Column("rated_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("before", sa.LargeBinary(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("guild", sa.BigInteger(), nullable=True),
        sa.Column("everywhere", sa.Boolean(), nullable=False),
        sa.Column("applied", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.CheckConstraint("seat >= 0", name=op.f("ck_reverted_seats_from_zero")),
        sa.PrimaryKeyConstraint("rated_id", "seat", name=op.f("pk_reverted_seats")),
    )
    op.create_table(
        "corrected_skills",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("period", sa.String(), nullable=False),
        sa.Column("guild", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("mu", sa.Double(), nullable=False),
        sa.Column("sigma", sa.Double(), nullable=False),
        sa.Column("week", sa.Integer(), nullable=False),
        sa.Column("was", sa.Integer(), nullable=True),
        sa.CheckConstraint("week >= 0", name=op.f("ck_corrected_skills_dated")),
        sa.PrimaryKeyConstraint("user_id", "period", "guild", "game", name=op.f("pk_corrected_skills")),
    )
