"""Games against computer players that one member alone sees."""

import sqlalchemy as sa
from alembic import op

revision = "0046"
down_revision = "0045"


def upgrade() -> None:
    for table in ("challenges", "matches"):
        op.add_column(table, sa.Column("private", sa.Boolean(), server_default=sa.false(), nullable=False))
