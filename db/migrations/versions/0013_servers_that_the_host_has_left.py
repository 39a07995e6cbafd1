"""Servers that the host has left.

Revision ID: 0013
Revises: 0012
"""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "departures",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("left_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("guild_id > 0", name=op.f("ck_departures_is_a_server")),
        sa.PrimaryKeyConstraint("guild_id", name=op.f("pk_departures")),
    )


def downgrade() -> None:
    op.drop_table("departures")
