"""Clock and size of the games of leagues, which a manager chooses."""

import sqlalchemy as sa
from alembic import op

revision = "0072"
down_revision = "0071"


def upgrade() -> None:
    for column, value in (("league_clock", "1d"), ("league_size", "standard")):
        op.add_column("guilds", sa.Column(column, sa.String(), server_default=value, nullable=False))
