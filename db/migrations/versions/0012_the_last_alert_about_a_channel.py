"""The last alert about a channel.

Revision ID: 0012
Revises: 0011
"""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "alerts",
        sa.Column("channel_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("alerted_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("guild_id > 0", name=op.f("ck_alerts_in_a_server")),
        sa.PrimaryKeyConstraint("channel_id", name=op.f("pk_alerts")),
    )


def downgrade() -> None:
    op.drop_table("alerts")
