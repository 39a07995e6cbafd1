"""Vote games and their votes."""

import sqlalchemy as sa
from alembic import op

revision = "0064"
down_revision = "0063"

DUE = sa.text("due_at IS NOT NULL")


def upgrade() -> None:
    op.create_table(
        "vote_games",
        sa.Column("match_id", sa.Integer, sa.ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("every", sa.BigInteger, nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True)),
        sa.Column("named", sa.Boolean, nullable=False),
        sa.Column("extended", sa.Boolean, server_default=sa.false(), nullable=False),
        sa.CheckConstraint("every > 0", name="takes_time"),
    )
    op.create_index("ix_vote_games_due_at", "vote_games", ["due_at"], sqlite_where=DUE, postgresql_where=DUE)
    op.create_table(
        "votes",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("match_id", sa.Integer, sa.ForeignKey("matches.id", ondelete="CASCADE"), nullable=False),
        sa.Column("ply", sa.Integer, nullable=False),
        sa.Column("user_id", sa.BigInteger, nullable=False),
        sa.Column("move", sa.String, nullable=False),
        sa.Column("voted_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("ply >= 0", name="from_zero"),
        sa.UniqueConstraint("match_id", "ply", "user_id"),
    )
    op.create_index("ix_votes_user_id", "votes", ["user_id"])
