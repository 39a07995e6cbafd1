"""It is known of each shard when it was last connected.

Revision ID: 0036
Revises: 0035
"""

from datetime import datetime

import sqlalchemy as sa
from alembic import op

from db.types import UtcTime

revision = "0036"
down_revision = "0035"
branch_labels = None
depends_on = None


def upgrade() -> None:
    last = _last()
    op.drop_table("alive")
    made = op.create_table(
        "alive",
        sa.Column("shards", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("shard", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", UtcTime(), nullable=False),
        sa.CheckConstraint("shard BETWEEN 0 AND shards - 1", name="one_of_them"),
        sa.PrimaryKeyConstraint("shards", "shard"),
    )
    if last is not None:
        op.execute(made.insert().values(shards=1, shard=0, at=last))


def downgrade() -> None:
    last = _last()
    op.drop_table("alive")
    made = op.create_table(
        "alive",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", UtcTime(), nullable=False),
        sa.CheckConstraint("id = 1", name="only_one"),
        sa.PrimaryKeyConstraint("id"),
    )
    if last is not None:
        op.execute(made.insert().values(id=1, at=last))


def _last() -> datetime | None:
    """Return when the bot was last connected, if ever."""
    at = sa.func.max(sa.column("at", UtcTime()), type_=UtcTime())
    found: datetime | None = op.get_bind().scalar(sa.select(at).select_from(sa.table("alive")))
    return found
