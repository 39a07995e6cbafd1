"""Volunteers for the secret moves of vote games."""

import sqlalchemy as sa
from alembic import op

revision = "0071"
down_revision = "0070"


def upgrade() -> None:
    op.create_table(
        "volunteers",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("match_id", sa.Integer, sa.ForeignKey("matches.id", ondelete="CASCADE"), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("phase", sa.String, nullable=False),
        sa.Column("user_id", sa.BigInteger, nullable=False),
        sa.Column("drawn_at", sa.DateTime(timezone=True)),
        sa.Column("out_at", sa.DateTime(timezone=True)),
        sa.CheckConstraint("out_at IS NULL OR drawn_at IS NOT NULL", name="drawn_before_out"),
        sa.UniqueConstraint("match_id", "seat", "phase", "user_id"),
    )
    op.create_index("ix_volunteers_user_id", "volunteers", ["user_id"])
