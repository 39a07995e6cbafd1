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
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("user_id", sa.BigInteger, nullable=False),
        sa.Column("guild", sa.BigInteger),
        sa.Column(
            "occasion",
            sa.Enum(*OCCASIONS, name="occasion", native_enum=False, create_constraint=True, length=16),
            nullable=False,
        ),
        sa.Column("subject", sa.Integer, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("due_at", UtcTime(), nullable=False),
        sa.UniqueConstraint("user_id", "occasion", "subject", "number"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_direct_messages_due_at", "direct_messages", ["due_at", "id"])
    op.create_index("ix_direct_messages_guild", "direct_messages", ["guild"])
