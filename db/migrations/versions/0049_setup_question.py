"""A flag of servers: True until a manager is asked to set the server up. It is True for all stored servers.

Revision ID: 0049
Revises: 0048
"""

import sqlalchemy as sa
from alembic import op

revision = "0049"
down_revision = "0048"
branch_labels = None
depends_on = None

EXISTING = sa.text("UPDATE guilds SET setup_due = :yes").bindparams(sa.bindparam("yes", True, sa.Boolean()))


def upgrade() -> None:
    op.add_column("guilds", sa.Column("setup_due", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.execute(EXISTING)
