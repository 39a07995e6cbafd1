"""Servers choose if members may show things to a channel, and what stands beside an announced result.

Revision ID: 0027
Revises: 0026
"""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("guilds", sa.Column("showing", sa.Boolean(), server_default=sa.true(), nullable=False))
    # Alembic copies the whole table for a column with a CHECK; both databases can add it in place.
    op.execute(
        "ALTER TABLE guilds ADD COLUMN result_picture VARCHAR(16) DEFAULT 'board' NOT NULL"
        " CONSTRAINT ck_guilds_resultpicture CHECK (result_picture IN ('none', 'board', 'film'))"
    )


def downgrade() -> None:
    op.drop_column("guilds", "result_picture")
    op.drop_column("guilds", "showing")
