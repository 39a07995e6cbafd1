"""The channel that the thread of a challenge belongs to."""

import sqlalchemy as sa
from alembic import op

revision = "0043"
down_revision = "0042"


def upgrade() -> None:
    op.add_column("challenges", sa.Column("home", sa.BigInteger(), nullable=True))
