"""Messages that hold for a while, and servers whose boards change in place.

Revision ID: 0025
Revises: 0024
"""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "passing_messages",
        sa.Column("message", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("channel", sa.BigInteger(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("plies", sa.Integer(), nullable=False),
        sa.Column("until", sa.Integer(), nullable=True),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.CheckConstraint("plies >= 0", name="from_zero"),
        sa.CheckConstraint("(seat IS NULL) = (until IS NOT NULL)", name="board_or_call"),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["match_id", "seat"], ["seats.match_id", "seats.seat"]),
        sa.PrimaryKeyConstraint("message"),
    )
    op.create_index("ix_passing_messages_match_id_seat", "passing_messages", ["match_id", "seat"])
    op.add_column("guilds", sa.Column("in_place", sa.Boolean(), server_default=sa.false(), nullable=False))


def downgrade() -> None:
    op.drop_column("guilds", "in_place")
    op.drop_table("passing_messages")
