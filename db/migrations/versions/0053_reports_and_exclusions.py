"""Channels for reports and excluded members."""

import sqlalchemy as sa
from alembic import op

revision = "0053"
down_revision = "0052"


def upgrade() -> None:
    op.create_table(
        "exclusions",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("excluded_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("guild_id > 0", name=op.f("ck_exclusions_in_a_server")),
        sa.PrimaryKeyConstraint("guild_id", "user_id", name=op.f("pk_exclusions")),
    )
    with op.batch_alter_table("exclusions", schema=None) as batch_op:
        batch_op.create_index("ix_exclusions_user_id", ["user_id"], unique=False)

    op.add_column("guilds", sa.Column("reports", sa.BigInteger(), nullable=True))
