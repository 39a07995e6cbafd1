"""Standing offers that rest."""

import sqlalchemy as sa
from alembic import op

revision = "0070"
down_revision = "0069"


def upgrade() -> None:
    op.add_column("challenges", sa.Column("rests", sa.Boolean(), server_default=sa.false(), nullable=False))
