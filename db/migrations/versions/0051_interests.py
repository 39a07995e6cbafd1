"""Members who want to be told of open challenges."""

import sqlalchemy as sa
from alembic import op

revision = "0051"
down_revision = "0050"


def upgrade() -> None:
    op.create_table(
        "interests",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("games", sa.Text(), nullable=False),
        sa.Column("first_hour", sa.Integer(), nullable=False),
        sa.Column("end_hour", sa.Integer(), nullable=False),
        sa.Column("zone", sa.String(), nullable=False),
        sa.Column("most", sa.Integer(), nullable=False),
        sa.Column("told_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("told_on", sa.Date(), nullable=True),
        sa.Column("told", sa.Integer(), nullable=False),
        sa.CheckConstraint("end_hour BETWEEN 1 AND 24", name=op.f("ck_interests_end_hour")),
        sa.CheckConstraint("first_hour BETWEEN 0 AND 23", name=op.f("ck_interests_first_hour")),
        sa.CheckConstraint("most > 0", name=op.f("ck_interests_some")),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_interests")),
    )
    op.create_table(
        "interest_servers",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.CheckConstraint("guild_id > 0", name=op.f("ck_interest_servers_in_a_server")),
        sa.ForeignKeyConstraint(
            ["user_id"], ["interests.user_id"], name=op.f("fk_interest_servers_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", "guild_id", name=op.f("pk_interest_servers")),
    )
    with op.batch_alter_table("interest_servers", schema=None) as batch_op:
        batch_op.create_index("ix_interest_servers_guild_id", ["guild_id"], unique=False)
