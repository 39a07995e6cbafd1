"""Two games with swapped seats, which are rated as one.

Revision ID: 0023
Revises: 0022
"""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None

WHOLE = {"sqlite_autoincrement": True}
"""Parts of the table that would be lost when SQLite copies it."""
FARED = ["user_id", "at", "match_id", "game", "guild", "everywhere", "seat", "outcome", "rank"]


def upgrade() -> None:
    with op.batch_alter_table("matches", table_kwargs=WHOLE) as table:
        table.add_column(_games())
        table.add_column(sa.Column("first_game", sa.Integer(), nullable=True))
        table.create_foreign_key(op.f("fk_matches_first_game"), "matches", ["first_game"], ["id"])
        table.create_unique_constraint(op.f("uq_matches_first_game"), ["first_game"])
        table.create_check_constraint(
            op.f("ck_matches_two_games_for_two"), "games = 1 OR (games = 2 AND players = 2)"
        )
        table.create_check_constraint(op.f("ck_matches_second_of_two"), "first_game IS NULL OR games = 2")
    with op.batch_alter_table("challenges", table_kwargs=WHOLE) as table:
        table.add_column(_games())
        table.create_check_constraint(
            op.f("ck_challenges_two_games_for_two"), "games = 1 OR (games = 2 AND fewest = 2 AND most = 2)"
        )
    op.add_column("rated_seats", _games())
    op.drop_index("ix_rated_seats_fared", "rated_seats")
    op.create_index("ix_rated_seats_fared", "rated_seats", [*FARED, "games"])


def downgrade() -> None:
    op.drop_index("ix_rated_seats_fared", "rated_seats")
    op.create_index("ix_rated_seats_fared", "rated_seats", FARED)
    op.drop_column("rated_seats", "games")
    with op.batch_alter_table("challenges", table_kwargs=WHOLE) as table:
        table.drop_constraint(op.f("ck_challenges_two_games_for_two"), type_="check")
        table.drop_column("games")
    with op.batch_alter_table("matches", table_kwargs=WHOLE) as table:
        table.drop_constraint(op.f("ck_matches_second_of_two"), type_="check")
        table.drop_constraint(op.f("ck_matches_two_games_for_two"), type_="check")
        table.drop_constraint(op.f("uq_matches_first_game"), type_="unique")
        table.drop_constraint(op.f("fk_matches_first_game"), type_="foreignkey")
        table.drop_column("first_game")
        table.drop_column("games")


def _games() -> sa.Column[int]:
    return sa.Column("games", sa.Integer(), server_default="1", nullable=False)
