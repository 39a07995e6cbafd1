"""Preferences and blocks of members, and settings of servers.

Revision ID: 0002
Revises: 0001
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "blocks",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("blocked_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("blocked_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("user_id <> blocked_id", name=op.f("ck_blocks_somebody_else")),
        sa.PrimaryKeyConstraint("user_id", "blocked_id", name=op.f("pk_blocks")),
    )
    op.create_table(
        "guilds",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("theme", sa.String(), nullable=True),
        sa.Column("channels", sa.Text(), nullable=False),
        sa.Column("withheld", sa.Text(), nullable=False),
        sa.Column("results", sa.BigInteger(), nullable=True),
        sa.Column("threads", sa.Boolean(), nullable=False),
        sa.CheckConstraint("guild_id > 0", name=op.f("ck_guilds_is_a_server")),
        sa.PrimaryKeyConstraint("guild_id", name=op.f("pk_guilds")),
    )
    op.create_table(
        "members",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("theme", sa.String(), nullable=True),
        sa.Column(
            "notice",
            sa.Enum(
                "ping", "direct", "none", name="notice", native_enum=False, create_constraint=True, length=16
            ),
            nullable=False,
        ),
        sa.Column("away_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("forced", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_members")),
    )


def downgrade() -> None:
    op.drop_table("members")
    op.drop_table("guilds")
    op.drop_table("blocks")
