"""the podium of a season

Revision ID: 0017
Revises: 0016
"""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("guilds", sa.Column("podium", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.add_column("guilds", sa.Column("announced", sa.String(), nullable=True))
    op.create_index(
        "ix_guilds_podium",
        "guilds",
        ["guild_id"],
        sqlite_where=sa.text("podium IS 1"),
        postgresql_where=sa.text("podium IS true"),
    )


def downgrade() -> None:
    op.drop_index("ix_guilds_podium", "guilds")
    op.drop_column("guilds", "announced")
    op.drop_column("guilds", "podium")
