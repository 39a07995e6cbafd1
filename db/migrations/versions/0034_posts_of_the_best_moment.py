"""Posts of the best moment of a week.

Revision ID: 0034
Revises: 0033
"""

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "guilds", sa.Column("weekly_moment", sa.Boolean(), server_default=sa.false(), nullable=False)
    )
    op.create_table(
        "moment_posts",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("channel", sa.BigInteger(), nullable=False),
        sa.Column("message", sa.BigInteger(), nullable=True),
        sa.Column("tried_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("settled", sa.Boolean(), nullable=False),
        sa.CheckConstraint("guild_id > 0", name=op.f("ck_moment_posts_in_a_server")),
        sa.PrimaryKeyConstraint("guild_id", "day", name=op.f("pk_moment_posts")),
    )
    op.create_index("ix_moment_posts_day", "moment_posts", ["day"])


def downgrade() -> None:
    op.drop_table("moment_posts")
    op.drop_column("guilds", "weekly_moment")
