"""A preference of members: to be told of their next game."""

import sqlalchemy as sa
from alembic import op

revision = "0050"
down_revision = "0049"


def upgrade() -> None:
    op.add_column("members", sa.Column("next_game", sa.Boolean(), server_default=sa.true(), nullable=False))
