"""An index that finds the ratings of one member at one place; the key led through all members on global leaderboards.

Revision ID: 0022
Revises: 0021
"""

from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_index("ix_ratings_user_id", "ratings")
    op.create_index("ix_ratings_user_id_guild_period", "ratings", ["user_id", "guild", "period"])


def downgrade() -> None:
    op.drop_index("ix_ratings_user_id_guild_period", "ratings")
    op.create_index("ix_ratings_user_id", "ratings", ["user_id"])
