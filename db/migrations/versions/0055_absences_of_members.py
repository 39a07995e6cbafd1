"""Absences of members.

Revision ID: 0055
Revises: 0054
"""

import sqlalchemy as sa
from alembic import op

revision = "0055"
down_revision = "0054"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("members", sa.Column("absent_since", sa.DateTime(timezone=True), nullable=True))
    op.add_column("members", sa.Column("absent_until", sa.DateTime(timezone=True), nullable=True))
    op.add_column("members", sa.Column("absent_before", sa.BigInteger(), server_default="0", nullable=False))
