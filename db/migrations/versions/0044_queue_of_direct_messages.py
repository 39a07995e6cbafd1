"""The queue of direct messages."""

import sqlalchemy as sa
from alembic import op

from db.types import UtcTime

revision = "0044"
down_revision = "0043"

OCCASIONS = ("turn", "held", "reminder", "proposal", "challenge")


def upgrade() -> None:
    op.create_table(
        "direct_messages",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("guild", sa.BigInteger(), nullable=True),
        sa.Column(
            "occasion",
            sa.Enum(*OCCASIONS, name="occasion", native_enum=False, create_constraint=True, length=16),
            nullable=False,
        ),
        sa.Column("subject", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("due_at", UtcTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_direct_messages")),
        sa.UniqueConstraint(
            "user_id",
            "occasion",
            "subject",
            "number",
            name=op.f("uq_direct_messages_user_id_occasion_subject_number"),
        ),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_direct_messages_due_at", "direct_messages", ["due_at", "id"])
    op.create_index("ix_direct_messages_guild", "direct_messages", ["guild"])
