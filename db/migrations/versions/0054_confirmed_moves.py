"""A preference of members: to confirm a move that they press."""

import sqlalchemy as sa
from alembic import op

revision = "0054"
down_revision = "0053"


def upgrade() -> None:
    op.add_column("members", sa.Column("confirms", sa.Boolean(), server_default=sa.false(), nullable=False))
