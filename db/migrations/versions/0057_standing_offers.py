"""Standing offers."""

import sqlalchemy as sa
from alembic import op

revision = "0057"
down_revision = "0056"


def upgrade() -> None:
    with op.batch_alter_table("challenges", schema=None) as batch_op:
        batch_op.add_column(sa.Column("standing", sa.Integer(), nullable=True))
        batch_op.add_column(sa.Column("lowest", sa.Integer(), nullable=True))
        batch_op.add_column(sa.Column("highest", sa.Integer(), nullable=True))
        batch_op.add_column(sa.Column("offer_id", sa.Integer(), nullable=True))
        batch_op.create_index(
            "ix_challenges_offer_id",
            ["offer_id"],
            unique=False,
            sqlite_where=sa.text("offer_id IS NOT NULL"),
            postgresql_where=sa.text("offer_id IS NOT NULL"),
        )
        batch_op.create_index(
            "ix_challenges_standing_guild",
            ["guild"],
            unique=False,
            sqlite_where=sa.text("answered_at IS NULL AND standing IS NOT NULL"),
            postgresql_where=sa.text("answered_at IS NULL AND standing IS NOT NULL"),
        )
