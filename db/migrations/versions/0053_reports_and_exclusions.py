"""Channels for reports and excluded members."""

import sqlalchemy as sa
from alembic import op

revision = "0053"
down_revision = "0052"


def upgrade() -> None:
    op.create_table(
        "exclusions",
        sa.Column("guild_id", sa.BigInteger, autoincrement=False, primary_key=True),
        sa.Column("user_id", sa.BigInteger, autoincrement=False, primary_key=True),
        sa.Column("excluded_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("guild_id > 0", name="in_a_server"),
    )
    op.create_index("ix_exclusions_user_id", "exclusions", ["user_id"])

    op.add_column("guilds", sa.Column("reports", sa.BigInteger(), nullable=True))
