"""The progress of members in lessons.

Revision ID: 0029
Revises: 0028
"""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "lessons",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("moves", sa.Text(), nullable=False),
        sa.Column("done", sa.Boolean(), nullable=False),
        sa.CheckConstraint("step >= 0", name=op.f("ck_lessons_from_zero")),
        sa.PrimaryKeyConstraint("user_id", "game", name=op.f("pk_lessons")),
    )


def downgrade() -> None:
    op.drop_table("lessons")
