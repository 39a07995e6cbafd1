"""Seats that computer players took from players who had left."""

import sqlalchemy as sa
from alembic import op

revision = "0063"
down_revision = "0062"

LEFT = sa.text("leaver IS NOT NULL")


def upgrade() -> None:
    op.add_column("seats", sa.Column("leaver", sa.BigInteger(), nullable=True))
    op.create_index(
        "ix_seats_left_leaver_finished_at",
        "seats",
        ["leaver", "finished_at", "match_id"],
        sqlite_where=LEFT,
        postgresql_where=LEFT,
    )
    op.add_column("proposals", sa.Column("computer", sa.Integer(), nullable=True))
    with op.batch_alter_table("proposals", table_kwargs={"sqlite_autoincrement": True}) as proposals:
        proposals.drop_constraint(op.f("ck_proposals_matter"), type_="check")
        proposals.create_check_constraint(
            op.f("ck_proposals_matter"), "matter IN ('draw', 'takeback', 'time', 'pause', 'seat')"
        )
