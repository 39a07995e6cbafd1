"""Matches between servers."""

import sqlalchemy as sa
from alembic import op

revision = "0068"
down_revision = "0067"


def upgrade() -> None:
    op.add_column("entrants", sa.Column("guest", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.add_column("events", sa.Column("games", sa.Integer(), nullable=True))
    op.add_column("events", sa.Column("code", sa.String(), nullable=True))
    op.add_column("events", sa.Column("guests", sa.BigInteger(), nullable=True))
    op.add_column("events", sa.Column("guest_channel", sa.BigInteger(), nullable=True))
    op.add_column("events", sa.Column("guest_home", sa.BigInteger(), nullable=True))
    for name, column, unique in (
        ("ix_events_code", "code", True),
        ("ix_events_guests", "guests", False),
    ):
        given = sa.text(f"{column} IS NOT NULL")
        op.create_index(name, "events", [column], unique=unique, sqlite_where=given, postgresql_where=given)
