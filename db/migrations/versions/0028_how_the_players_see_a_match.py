"""The players of a match choose if one message shows it.

Revision ID: 0028
Revises: 0027
"""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("matches", sa.Column("in_place", sa.Boolean(), nullable=True))


def downgrade() -> None:
    op.drop_column("matches", "in_place")
