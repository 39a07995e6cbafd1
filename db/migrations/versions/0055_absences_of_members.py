"""Absences of members."""

import sqlalchemy as sa
from alembic import op

revision = "0055"
down_revision = "0054"


def upgrade() -> None:
    op.add_column("members", sa.Column("absent_since", sa.DateTime(timezone=True), nullable=True))
    op.add_column("members", sa.Column("absent_until", sa.DateTime(timezone=True), nullable=True))
    op.add_column("members", sa.Column("absent_before", sa.BigInteger(), server_default="0", nullable=False))
