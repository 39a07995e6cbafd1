"""who is on the boards of everywhere

Revision ID: 0018
Revises: 0017
"""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

CHOICES = (("guilds", "everywhere"), ("members", "listed"), ("rated", "everywhere"), ("ratings", "listed"))
BOARD = ["guild", "period", "game", "score", "user_id"]


def upgrade() -> None:
    for table, name in CHOICES:
        op.add_column(table, sa.Column(name, sa.Boolean(), server_default=sa.true(), nullable=False))
    op.drop_index("ix_ratings_board", "ratings")
    op.create_index(
        "ix_ratings_board",
        "ratings",
        BOARD,
        sqlite_where=sa.text("listed IS 1"),
        postgresql_where=sa.text("listed IS true"),
    )


def downgrade() -> None:
    op.drop_index("ix_ratings_board", "ratings")
    op.create_index("ix_ratings_board", "ratings", BOARD)
    for table, name in CHOICES:
        op.drop_column(table, name)
