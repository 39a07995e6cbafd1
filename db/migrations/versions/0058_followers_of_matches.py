"""Followers of matches."""

import sqlalchemy as sa
from alembic import op

revision = "0058"
down_revision = "0057"


def upgrade() -> None:
    op.create_table(
        "followers",
        sa.Column("match_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("moves", sa.Boolean(), nullable=False),
        sa.CheckConstraint("user_id > 0", name=op.f("ck_followers_is_somebody")),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name=op.f("fk_followers_match_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("match_id", "user_id", name=op.f("pk_followers")),
    )
    with op.batch_alter_table("followers", schema=None) as batch_op:
        batch_op.create_index("ix_followers_user_id", ["user_id"], unique=False)
    with op.batch_alter_table(
        "direct_messages", table_kwargs={"sqlite_autoincrement": True}
    ) as direct_messages:
        direct_messages.drop_constraint(op.f("ck_direct_messages_occasion"), type_="check")
        direct_messages.create_check_constraint(
            op.f("ck_direct_messages_occasion"),
            "occasion IN ('turn', 'held', 'reminder', 'proposal', 'challenge', 'followed')",
        )
