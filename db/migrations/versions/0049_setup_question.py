"""A flag of servers: True until a manager is asked to set the server up. It is True for all stored servers."""

import sqlalchemy as sa
from alembic import op

revision = "0049"
down_revision = "0048"

EXISTING = sa.text("UPDATE guilds SET setup_due = :yes").bindparams(sa.bindparam("yes", True, sa.Boolean()))


def upgrade() -> None:
    op.add_column("guilds", sa.Column("setup_due", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.execute(EXISTING)
