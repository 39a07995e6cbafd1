"""Time zones of vote games, and the ends of their first votes."""

import sqlalchemy as sa
from alembic import op

revision = "0069"
down_revision = "0068"


def upgrade() -> None:
    for table in ("vote_invitations", "vote_games"):
        op.add_column(table, sa.Column("zone", sa.String(), server_default="UTC", nullable=False))
    op.add_column("vote_games", sa.Column("first_at", sa.DateTime(timezone=True), nullable=True))
    # A game that is over has no end of a vote any more; its time of day no longer matters.
    op.execute(
        "UPDATE vote_games SET first_at = coalesce(due_at, (SELECT started_at FROM matches WHERE id = match_id))"
    )
    with op.batch_alter_table("vote_games") as games:
        games.alter_column("first_at", existing_type=sa.DateTime(timezone=True), nullable=False)
