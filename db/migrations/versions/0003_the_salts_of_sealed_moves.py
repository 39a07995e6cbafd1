"""The salts of sealed moves.

Revision ID: 0003
Revises: 0002
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("plies", sa.Column("salt", sa.String(), nullable=True))


def downgrade() -> None:
    op.drop_column("plies", "salt")
