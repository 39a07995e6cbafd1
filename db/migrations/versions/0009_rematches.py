"""The match that a challenge wants to be played again.

Revision ID: 0009
Revises: 0008
"""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

WHOLE = {"sqlite_autoincrement": True}
"""Parts of the table that would be lost when SQLite copies it."""


def upgrade() -> None:
    with op.batch_alter_table("challenges", table_kwargs=WHOLE) as table:
        table.add_column(sa.Column("rematch_of", sa.Integer(), nullable=True))
        table.create_foreign_key(op.f("fk_challenges_rematch_of"), "matches", ["rematch_of"], ["id"])
        table.create_unique_constraint(op.f("uq_challenges_rematch_of"), ["rematch_of"])


def downgrade() -> None:
    with op.batch_alter_table("challenges", table_kwargs=WHOLE) as table:
        table.drop_constraint(op.f("uq_challenges_rematch_of"), type_="unique")
        table.drop_constraint(op.f("fk_challenges_rematch_of"), type_="foreignkey")
        table.drop_column("rematch_of")
