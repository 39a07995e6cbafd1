"""Whose turn it is, so that lists of games need not replay them.

Revision ID: 0035
Revises: 0034
"""

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("matches", sa.Column("turns", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("matches", "turns")
