"""Several members in one challenge.

Revision ID: 0005
Revises: 0004
"""

from contextlib import AbstractContextManager

import sqlalchemy as sa
from alembic import op
from alembic.operations import BatchOperations

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "participants",
        sa.Column("challenge_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("reply", sa.String(16), nullable=False),
        sa.Column("settled_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("number >= 0", name=op.f("ck_participants_from_zero")),
        sa.CheckConstraint(
            "reply IN ('asked', 'in') OR settled_at IS NOT NULL", name=op.f("ck_participants_out_is_settled")
        ),
        sa.CheckConstraint(
            "reply IN ('asked', 'in', 'declined', 'removed')", name=op.f("ck_participants_reply")
        ),
        sa.PrimaryKeyConstraint("challenge_id", "user_id", name=op.f("pk_participants")),
        sa.ForeignKeyConstraint(
            ["challenge_id"], ["challenges.id"], name=op.f("fk_participants_challenge_id"), ondelete="CASCADE"
        ),
    )
    _partial_index("ix_participants_concerned_user_id", "participants", "user_id", "settled_at IS NULL")
    op.execute(
        "INSERT INTO participants (challenge_id, user_id, number, reply, settled_at)"
        " SELECT id, challenger, 0, 'in', answered_at FROM challenges"
    )
    op.execute(
        "INSERT INTO participants (challenge_id, user_id, number, reply, settled_at)"
        " SELECT id, opponent, 1, CASE answer WHEN 'accepted' THEN 'in' WHEN 'declined' THEN 'declined'"
        " ELSE 'asked' END, answered_at FROM challenges WHERE opponent <> challenger"
    )

    for column in (
        sa.Column("fewest", sa.Integer(), nullable=True),
        sa.Column("seating", sa.String(16), nullable=True),
        sa.Column("public", sa.Boolean(), nullable=True),
    ):
        op.add_column("challenges", column)
    op.execute("UPDATE challenges SET fewest = players, seating = 'lot', public = false")
    for indexed in ("challenger", "opponent"):
        op.drop_index(f"ix_challenges_open_{indexed}", "challenges")
    with _rebuilt() as table:
        table.drop_constraint(_ck("somebody_plays"), type_="check")
        table.alter_column("players", new_column_name="most", existing_type=sa.Integer(), nullable=False)
        table.alter_column("fewest", existing_type=sa.Integer(), nullable=False)
        table.alter_column("seating", existing_type=sa.String(16), nullable=False)
        table.alter_column("public", existing_type=sa.Boolean(), nullable=False)
        table.drop_column("opponent")
        table.create_check_constraint(_ck("somebody_plays"), "fewest > 0 AND fewest <= most")
        table.create_check_constraint(_ck("order"), "seating IN ('lot', 'first', 'last', 'listed')")
    op.create_index("ix_challenges_challenger_answered_at", "challenges", ["challenger", "answered_at"])


def downgrade() -> None:
    """Of several opponents the first is kept; a challenge without any cannot be."""
    op.drop_index("ix_challenges_challenger_answered_at", "challenges")
    op.add_column("challenges", sa.Column("opponent", sa.BigInteger(), nullable=True))
    op.execute(
        "UPDATE challenges SET opponent = (SELECT user_id FROM participants WHERE challenge_id = id"
        " AND user_id <> challenger ORDER BY number LIMIT 1)"
    )
    op.drop_table("participants")
    op.execute("DELETE FROM challenges WHERE opponent IS NULL")
    with _rebuilt() as table:
        table.drop_constraint(_ck("somebody_plays"), type_="check")
        table.drop_constraint(_ck("order"), type_="check")
        table.alter_column("most", new_column_name="players", existing_type=sa.Integer(), nullable=False)
        table.alter_column("opponent", existing_type=sa.BigInteger(), nullable=False)
        for column in ("fewest", "seating", "public"):
            table.drop_column(column)
        table.create_check_constraint(_ck("somebody_plays"), "players > 0")
    for column in ("challenger", "opponent"):
        _partial_index(f"ix_challenges_open_{column}", "challenges", column, "answered_at IS NULL")


def _ck(name: str) -> str:
    return op.f(f"ck_challenges_{name}")


def _rebuilt() -> AbstractContextManager[BatchOperations]:
    """The table of challenges, to be changed: in place on PostgreSQL, as a copy on SQLite."""
    return op.batch_alter_table("challenges", table_kwargs={"sqlite_autoincrement": True})


def _partial_index(name: str, table: str, column: str, where: str) -> None:
    condition = sa.text(where)
    op.create_index(name, table, [column], sqlite_where=condition, postgresql_where=condition)
