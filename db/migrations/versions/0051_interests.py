"""Members who want to be told of open challenges."""

import sqlalchemy as sa
from alembic import op

revision = "0051"
down_revision = "0050"


def upgrade() -> None:
    op.create_table(
        "interests",
        sa.Column("user_id", sa.BigInteger, autoincrement=False, primary_key=True),
        sa.Column("games", sa.Text, nullable=False),
        sa.Column("first_hour", sa.Integer, nullable=False),
        sa.Column("end_hour", sa.Integer, nullable=False),
        sa.Column("zone", sa.String, nullable=False),
        sa.Column("most", sa.Integer, nullable=False),
        sa.Column("told_at", sa.DateTime(timezone=True)),
        sa.Column("told_on", sa.Date),
        sa.Column("told", sa.Integer, nullable=False),
        sa.CheckConstraint("end_hour BETWEEN 1 AND 24", name="end_hour"),
        sa.CheckConstraint("first_hour BETWEEN 0 AND 23", name="first_hour"),
        sa.CheckConstraint("most > 0", name="some"),
    )
    op.create_table(
        "interest_servers",
        sa.Column(
            "user_id", sa.BigInteger, sa.ForeignKey("interests.user_id", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("guild_id", sa.BigInteger, autoincrement=False, primary_key=True),
        sa.CheckConstraint("guild_id > 0", name="in_a_server"),
    )
    op.create_index("ix_interest_servers_guild_id", "interest_servers", ["guild_id"])
