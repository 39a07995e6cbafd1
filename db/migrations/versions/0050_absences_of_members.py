"""Absences of members.

Revision ID: 0050
Revises: 0049
"""

import sqlalchemy as sa
from alembic import op

revision = "0050"
down_revision = "0049"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("members", sa.Column("absent_since", sa.DateTime(timezone=True), nullable=True))
    op.add_column("members", sa.Column("absent_until", sa.DateTime(timezone=True), nullable=True))
    op.add_column("members", sa.Column("absent_before", sa.BigInteger(), server_default="0", nullable=False))


def downgrade() -> None:
    op.drop_column("members", "absent_before")
    op.drop_column("members", "absent_until")
    op.drop_column("members", "absent_since")
