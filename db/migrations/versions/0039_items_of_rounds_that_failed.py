"""Items of background rounds that failed."""

import sqlalchemy as sa
from alembic import op

from db.types import UtcTime

revision = "0039"
down_revision = "0038"


def upgrade() -> None:
    op.create_table(
        "failed_items",
        sa.Column("task", sa.String, primary_key=True),
        sa.Column("item", sa.String, primary_key=True),
        sa.Column("error", sa.String, nullable=False),
        sa.Column("times", sa.Integer, nullable=False),
        sa.Column("since", UtcTime(), nullable=False),
        sa.Column("retry_at", UtcTime()),
        sa.CheckConstraint("times > 0", name="failed"),
    )
