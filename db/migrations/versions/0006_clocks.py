"""Paces of challenges and matches, clocks of seats, and when the host was last there.

Matches that run already stay untimed.

Revision ID: 0006
Revises: 0005
"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

TICKING = "deadline IS NOT NULL"
REMINDED = "remind_at IS NOT NULL"


def upgrade() -> None:
    op.create_table(
        "alive",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("id = 1", name=op.f("ck_alive_only_one")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_alive")),
    )
    for table in ("challenges", "matches"):
        op.add_column(table, sa.Column("pace", sa.Text(), nullable=True))
    with op.batch_alter_table("seats") as seats:
        seats.add_column(sa.Column("time_left", sa.BigInteger(), nullable=True))
        seats.add_column(sa.Column("deadline", sa.DateTime(timezone=True), nullable=True))
        seats.add_column(sa.Column("remind_at", sa.DateTime(timezone=True), nullable=True))
        seats.create_check_constraint(
            op.f("ck_seats_time_runs_from_a_clock"), "deadline IS NULL OR time_left IS NOT NULL"
        )
        seats.create_check_constraint(
            op.f("ck_seats_reminded_while_it_runs"), "remind_at IS NULL OR deadline IS NOT NULL"
        )
    _partial_index("ix_seats_ticking_deadline", "deadline", TICKING)
    _partial_index("ix_seats_reminded_remind_at", "remind_at", REMINDED)


def downgrade() -> None:
    op.drop_index("ix_seats_reminded_remind_at", "seats")
    op.drop_index("ix_seats_ticking_deadline", "seats")
    with op.batch_alter_table("seats") as seats:
        seats.drop_constraint(op.f("ck_seats_reminded_while_it_runs"), type_="check")
        seats.drop_constraint(op.f("ck_seats_time_runs_from_a_clock"), type_="check")
        for column in ("remind_at", "deadline", "time_left"):
            seats.drop_column(column)
    for table in ("matches", "challenges"):
        op.drop_column(table, "pace")
    op.drop_table("alive")


def _partial_index(name: str, column: str, where: str) -> None:
    condition = sa.text(where)
    op.create_index(name, "seats", [column], sqlite_where=condition, postgresql_where=condition)
