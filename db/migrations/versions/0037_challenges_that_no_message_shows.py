"""Challenges that no message shows, and the role that a challenge calls.

Revision ID: 0037
Revises: 0036
"""

import sqlalchemy as sa
from alembic import op

revision = "0037"
down_revision = "0036"
branch_labels = None
depends_on = None

UNPOSTED = sa.text("answered_at IS NULL AND message IS NULL")


def upgrade() -> None:
    op.add_column("challenges", sa.Column("call", sa.String(), server_default="", nullable=False))
    op.add_column("challenges", sa.Column("repeats", sa.Integer(), server_default="0", nullable=False))
    op.create_index(
        "ix_challenges_unposted_made_at",
        "challenges",
        ["made_at"],
        sqlite_where=UNPOSTED,
        postgresql_where=UNPOSTED,
    )


def downgrade() -> None:
    op.drop_index("ix_challenges_unposted_made_at", "challenges")
    op.drop_column("challenges", "repeats")
    op.drop_column("challenges", "call")
