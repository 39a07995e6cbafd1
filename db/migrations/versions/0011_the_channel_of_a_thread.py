"""The channel that a game's thread belongs to.

Revision ID: 0011
Revises: 0010
"""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("matches", sa.Column("home", sa.BigInteger(), nullable=True))


def downgrade() -> None:
    op.drop_column("matches", "home")
