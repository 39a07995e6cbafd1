"""Daily messages to members."""

import sqlalchemy as sa
from alembic import op

revision = "0061"
down_revision = "0060"


def upgrade() -> None:
    op.create_table(
        "digests",
        sa.Column("user_id", sa.BigInteger, autoincrement=False, primary_key=True),
        sa.Column("hour", sa.Integer, nullable=False),
        sa.Column("zone", sa.String, nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True)),
        sa.Column("until", sa.DateTime(timezone=True)),
        sa.CheckConstraint("hour BETWEEN 0 AND 23", name="hour"),
    )
    op.create_index("ix_digests_due_at", "digests", ["due_at"])
    with op.batch_alter_table("members") as members:
        members.drop_constraint(op.f("ck_members_notice"), type_="check")
        members.create_check_constraint(
            op.f("ck_members_notice"), "notice IN ('ping', 'direct', 'digest', 'none')"
        )
    with op.batch_alter_table(
        "direct_messages", table_kwargs={"sqlite_autoincrement": True}
    ) as direct_messages:
        direct_messages.drop_constraint(op.f("ck_direct_messages_occasion"), type_="check")
        direct_messages.create_check_constraint(
            op.f("ck_direct_messages_occasion"),
            "occasion IN ('turn', 'held', 'reminder', 'proposal', 'challenge', 'followed', 'digest')",
        )
