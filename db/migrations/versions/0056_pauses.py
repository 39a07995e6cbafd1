"""Pauses of matches, and proposals of more time and of pauses."""

import sqlalchemy as sa
from alembic import op

revision = "0056"
down_revision = "0055"


def upgrade() -> None:
    op.add_column("matches", sa.Column("paused_until", sa.DateTime(timezone=True), nullable=True))
    with op.batch_alter_table("proposals", table_kwargs={"sqlite_autoincrement": True}) as proposals:
        proposals.drop_constraint(op.f("ck_proposals_matter"), type_="check")
        proposals.create_check_constraint(
            op.f("ck_proposals_matter"), "matter IN ('draw', 'takeback', 'time', 'pause')"
        )
