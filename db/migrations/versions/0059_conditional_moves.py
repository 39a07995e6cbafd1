"""Conditional moves."""

import sqlalchemy as sa
from alembic import op

revision = "0059"
down_revision = "0058"


def upgrade() -> None:
    op.create_table(
        "variations",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("match_id", sa.Integer, sa.ForeignKey("matches.id", ondelete="CASCADE"), nullable=False),
        sa.Column("user_id", sa.BigInteger, nullable=False),
        sa.Column("plies", sa.Integer, nullable=False),
        sa.Column("moves", sa.Text, nullable=False),
        sa.CheckConstraint("plies >= 0", name="from_zero"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_variations_match_id_plies", "variations", ["match_id", "plies"])
    op.create_index("ix_variations_user_id", "variations", ["user_id"])

    op.add_column("members", sa.Column("conditional", sa.Boolean(), server_default=sa.true(), nullable=False))
    op.add_column("plies", sa.Column("conditional", sa.Boolean(), server_default=sa.false(), nullable=False))
