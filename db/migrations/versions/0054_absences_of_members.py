"""Absences of members.

Revision ID: 0054
Revises: 0053
"""

import sqlalchemy as sa
from alembic import op

revision = "0054"
down_revision = "0053"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("members", sa.Column("absent_since", sa.DateTime(timezone=True), nullable=True))
    op.add_column("members", sa.Column("absent_until", sa.DateTime(timezone=True), nullable=True))
    op.add_column("members", sa.Column("absent_before", sa.BigInteger(), server_default="0", nullable=False))
