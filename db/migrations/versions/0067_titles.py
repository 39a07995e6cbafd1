"""Titles of members, and the roles that mirror them."""

import sqlalchemy as sa
from alembic import op

revision = "0067"
down_revision = "0066"

KINDS = ("champion", "cup", "division", "puzzles", "finisher")


def kind() -> sa.Enum:
    return sa.Enum(*KINDS, name="titlekind", native_enum=False, create_constraint=True, length=16)


def upgrade() -> None:
    op.create_table(
        "title_roles",
        sa.Column("guild", sa.BigInteger, autoincrement=False, primary_key=True),
        sa.Column("kind", kind(), primary_key=True),
        sa.Column("role", sa.BigInteger, nullable=False),
        sa.CheckConstraint("guild > 0", name="in_a_server"),
    )
    op.create_table(
        "titles",
        sa.Column("guild", sa.BigInteger, autoincrement=False, primary_key=True),
        sa.Column("kind", kind(), primary_key=True),
        sa.Column("key", sa.String, primary_key=True),
        sa.Column("user_id", sa.BigInteger, autoincrement=False, primary_key=True),
        sa.Column("event_id", sa.Integer, sa.ForeignKey("events.id")),
        sa.Column("earned_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("role", sa.BigInteger),
        sa.Column("wanted", sa.Boolean, server_default=sa.true(), nullable=False),
        sa.CheckConstraint("guild > 0", name="in_a_server"),
    )
    op.create_index("ix_titles_user_id", "titles", ["user_id"])
    for name, columns, condition in (
        ("ix_titles_event_id", ["event_id"], "event_id IS NOT NULL"),
        ("ix_titles_given_earned_at", ["earned_at"], "role IS NOT NULL"),
        ("ix_titles_without_role_earned_at", ["earned_at"], "role IS NULL"),
    ):
        op.create_index(
            name, "titles", columns, sqlite_where=sa.text(condition), postgresql_where=sa.text(condition)
        )
