"""The members who took a hint, and an index of the running matches of a game.

Revision ID: 0024
Revises: 0023
"""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


RUNNING = sa.text("finished_at IS NULL")


def upgrade() -> None:
    op.add_column("seats", sa.Column("hinted", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.create_index(
        "ix_matches_running_game", "matches", ["game"], sqlite_where=RUNNING, postgresql_where=RUNNING
    )


def downgrade() -> None:
    op.drop_index("ix_matches_running_game", "matches")
    op.drop_column("seats", "hinted")
