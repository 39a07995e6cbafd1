"""Vote games and their votes."""

import sqlalchemy as sa
from alembic import op

revision = "0064"
down_revision = "0063"

DUE = sa.text("due_at IS NOT NULL")


def upgrade() -> None:
    op.create_table(
        "vote_games",
        sa.Column("match_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("every", sa.BigInteger(), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("named", sa.Boolean(), nullable=False),
        sa.Column("extended", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.CheckConstraint("every > 0", name=op.f("ck_vote_games_takes_time")),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name=op.f("fk_vote_games_match_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("match_id", name=op.f("pk_vote_games")),
    )
    op.create_index("ix_vote_games_due_at", "vote_games", ["due_at"], sqlite_where=DUE, postgresql_where=DUE)
    op.create_table(
        "votes",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("move", sa.String(), nullable=False),
        sa.Column("voted_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("ply >= 0", name=op.f("ck_votes_from_zero")),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name=op.f("fk_votes_match_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_votes")),
        sa.UniqueConstraint("match_id", "ply", "user_id", name=op.f("uq_votes_match_id_ply_user_id")),
    )
    op.create_index("ix_votes_user_id", "votes", ["user_id"])
