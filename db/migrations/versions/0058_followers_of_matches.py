"""Followers of matches."""

import sqlalchemy as sa
from alembic import op

revision = "0058"
down_revision = "0057"


def upgrade() -> None:
    op.create_table(
        "followers",
        sa.Column("match_id", sa.Integer, sa.ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("user_id", sa.BigInteger, autoincrement=False, primary_key=True),
        sa.Column("moves", sa.Boolean, nullable=False),
        sa.CheckConstraint("user_id > 0", name="is_somebody"),
    )
    op.create_index("ix_followers_user_id", "followers", ["user_id"])
    with op.batch_alter_table(
        "direct_messages", table_kwargs={"sqlite_autoincrement": True}
    ) as direct_messages:
        direct_messages.drop_constraint(op.f("ck_direct_messages_occasion"), type_="check")
        direct_messages.create_check_constraint(
            op.f("ck_direct_messages_occasion"),
            "occasion IN ('turn', 'held', 'reminder', 'proposal', 'challenge', 'followed')",
        )
