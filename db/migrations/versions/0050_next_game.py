"""A preference of members: to be told of their next game.

Revision ID: 0050
Revises: 0049
"""

import sqlalchemy as sa
from alembic import op

revision = "0050"
down_revision = "0049"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("members", sa.Column("next_game", sa.Boolean(), server_default=sa.true(), nullable=False))
