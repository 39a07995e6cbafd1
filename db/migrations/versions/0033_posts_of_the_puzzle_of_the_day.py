"""The channel and the hour of the daily puzzle, and the posts of it.

Revision ID: 0033
Revises: 0032
"""

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("guilds", sa.Column("puzzle_channel", sa.BigInteger(), nullable=True))
    op.add_column("guilds", sa.Column("puzzle_hour", sa.Integer(), server_default="9", nullable=False))
    chosen = sa.text("puzzle_channel IS NOT NULL")
    op.create_index(
        "ix_guilds_puzzle_hour", "guilds", ["puzzle_hour"], sqlite_where=chosen, postgresql_where=chosen
    )
    op.create_table(
        "puzzle_posts",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("channel", sa.BigInteger(), nullable=False),
        sa.Column("message", sa.BigInteger(), nullable=True),
        sa.Column("tried_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("settled", sa.Boolean(), nullable=False),
        sa.Column("tried", sa.Integer(), nullable=False),
        sa.Column("solved", sa.Integer(), nullable=False),
        sa.Column("closed", sa.Boolean(), nullable=False),
        sa.CheckConstraint("guild_id > 0", name=op.f("ck_puzzle_posts_in_a_server")),
        sa.PrimaryKeyConstraint("guild_id", "day", name=op.f("pk_puzzle_posts")),
    )
    op.create_index("ix_puzzle_posts_day", "puzzle_posts", ["day"])
    op.create_index(
        "ix_puzzle_posts_open",
        "puzzle_posts",
        ["day"],
        sqlite_where=sa.text("message IS NOT NULL AND closed IS 0"),
        postgresql_where=sa.text("message IS NOT NULL AND closed IS false"),
    )


def downgrade() -> None:
    op.drop_index("ix_puzzle_posts_open", table_name="puzzle_posts")
    op.drop_index("ix_puzzle_posts_day", table_name="puzzle_posts")
    op.drop_table("puzzle_posts")
    op.drop_index("ix_guilds_puzzle_hour", table_name="guilds")
    op.drop_column("guilds", "puzzle_hour")
    op.drop_column("guilds", "puzzle_channel")
