"""Conditional moves."""

import sqlalchemy as sa
from alembic import op

revision = "0059"
down_revision = "0058"


def upgrade() -> None:
    op.create_table(
        "variations",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("plies", sa.Integer(), nullable=False),
        sa.Column("moves", sa.Text(), nullable=False),
        sa.CheckConstraint("plies >= 0", name=op.f("ck_variations_from_zero")),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name=op.f("fk_variations_match_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_variations")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("variations", schema=None) as batch_op:
        batch_op.create_index("ix_variations_match_id_plies", ["match_id", "plies"], unique=False)
        batch_op.create_index("ix_variations_user_id", ["user_id"], unique=False)

    op.add_column("members", sa.Column("conditional", sa.Boolean(), server_default=sa.true(), nullable=False))
    op.add_column("plies", sa.Column("conditional", sa.Boolean(), server_default=sa.false(), nullable=False))
