"""Invitations to vote games and copies of boards."""

import sqlalchemy as sa
from alembic import op

revision = "0066"
down_revision = "0065"


def upgrade() -> None:
    op.create_table(
        "vote_invitations",
        sa.Column("guild", sa.BigInteger, autoincrement=False, primary_key=True),
        sa.Column("channel", sa.BigInteger, nullable=False),
        sa.Column("home", sa.BigInteger),
        sa.Column("code", sa.String, unique=True, nullable=False),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("every", sa.BigInteger, nullable=False),
        sa.Column("first_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("named", sa.Boolean, nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("every > 0", name="takes_time"),
    )
    kinds = ("board", "copy", "card", "event", "result", "void", "podium", "puzzle", "moment")
    with op.batch_alter_table("posts", table_kwargs={"sqlite_autoincrement": True}) as posts:
        posts.drop_constraint(op.f("ck_posts_postkind"), type_="check")
        posts.create_check_constraint(op.f("ck_posts_postkind"), sa.column("kind").in_(kinds))
