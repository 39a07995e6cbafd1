"""A preference of members: to confirm a move that they press.

Revision ID: 0054
Revises: 0053
"""

import sqlalchemy as sa
from alembic import op

revision = "0054"
down_revision = "0053"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("members", sa.Column("confirms", sa.Boolean(), server_default=sa.false(), nullable=False))
