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
        sa.Column("guild", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("kind", kind(), nullable=False),
        sa.Column("role", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("guild > 0", name=op.f("ck_title_roles_in_a_server")),
        sa.PrimaryKeyConstraint("guild", "kind", name=op.f("pk_title_roles")),
    )
    op.create_table(
        "titles",
        sa.Column("guild", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("kind", kind(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=True),
        sa.Column("earned_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("role", sa.BigInteger(), nullable=True),
        sa.Column("wanted", sa.Boolean(), server_default=sa.true(), nullable=False),
        sa.CheckConstraint("guild > 0", name=op.f("ck_titles_in_a_server")),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=op.f("fk_titles_event_id")),
        sa.PrimaryKeyConstraint("guild", "kind", "key", "user_id", name=op.f("pk_titles")),
    )
    with op.batch_alter_table("titles", schema=None) as batch_op:
        batch_op.create_index("ix_titles_user_id", ["user_id"], unique=False)
        for name, columns, condition in (
            ("ix_titles_event_id", ["event_id"], "event_id IS NOT NULL"),
            ("ix_titles_given_earned_at", ["earned_at"], "role IS NOT NULL"),
            ("ix_titles_without_role_earned_at", ["earned_at"], "role IS NULL"),
        ):
            batch_op.create_index(
                name, columns, sqlite_where=sa.text(condition), postgresql_where=sa.text(condition)
            )
