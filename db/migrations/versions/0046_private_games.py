"""Games against computer players that one member alone sees.

Revision ID: 0046
Revises: 0045
"""

import sqlalchemy as sa
from alembic import op

revision = "0046"
down_revision = "0045"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for table in ("challenges", "matches"):
        op.add_column(table, sa.Column("private", sa.Boolean(), server_default=sa.false(), nullable=False))
