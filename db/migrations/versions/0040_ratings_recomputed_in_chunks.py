"""The job that recomputes ratings after reverted results, chunk by chunk."""

import sqlalchemy as sa
from alembic import op

revision = "0040"
down_revision = "0039"


def upgrade() -> None:
    op.create_table(
        "rating_job",
        sa.Column("id", sa.Integer, autoincrement=False, primary_key=True),
        sa.Column("cursor", sa.Integer, nullable=False),
        sa.CheckConstraint("id = 1", name="only_one"),
    )
    op.create_table(
        "reverted_seats",
        sa.Column("rated_id", sa.Integer, autoincrement=False, primary_key=True),
        sa.Column("seat", sa.Integer, autoincrement=False, primary_key=True),
        sa.Column("user_id", sa.BigInteger, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("before", sa.LargeBinary(), nullable=False),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("guild", sa.BigInteger),
        sa.Column("everywhere", sa.Boolean, nullable=False),
        sa.Column("applied", sa.Boolean, server_default=sa.false(), nullable=False),
        sa.CheckConstraint("seat >= 0", name="from_zero"),
    )
    op.create_table(
        "corrected_skills",
        sa.Column("user_id", sa.BigInteger, autoincrement=False, primary_key=True),
        sa.Column("period", sa.String, primary_key=True),
        sa.Column("guild", sa.BigInteger, autoincrement=False, primary_key=True),
        sa.Column("game", sa.String, primary_key=True),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
        sa.Column("week", sa.Integer, nullable=False),
        sa.Column("was", sa.Integer),
        sa.CheckConstraint("week >= 0", name="dated"),
    )
