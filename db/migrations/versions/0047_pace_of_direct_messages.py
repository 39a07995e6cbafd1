"""The pace at which all processes together open channels of direct messages."""

import sqlalchemy as sa
from alembic import op

from db.types import UtcTime

revision = "0047"
down_revision = "0046"


def upgrade() -> None:
    op.add_column(
        "direct_messages", sa.Column("reserved", sa.Boolean(), server_default=sa.false(), nullable=False)
    )
    op.create_table(
        "opening_pace",
        sa.Column("id", sa.Integer, autoincrement=False, primary_key=True),
        sa.Column("free_at", UtcTime(), nullable=False),
        sa.Column("paused_until", UtcTime(), nullable=False),
        sa.CheckConstraint("id = 1", name="only_one"),
    )
