"""Proposals in running matches, and who agrees to them.

Revision ID: 0008
Revises: 0007
"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "proposals",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("matter", sa.String(16), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("shown", sa.Integer(), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("answer", sa.String(16), nullable=False),
        sa.Column("answered_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("channel", sa.BigInteger(), nullable=True),
        sa.Column("message", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("matter IN ('draw', 'takeback')", name=op.f("ck_proposals_matter")),
        sa.CheckConstraint(
            "answer IN ('open', 'accepted', 'declined', 'withdrawn', 'expired')",
            name=op.f("ck_proposals_answer"),
        ),
        sa.CheckConstraint("shown >= 0", name=op.f("ck_proposals_from_zero")),
        sa.CheckConstraint(
            "(answer = 'open') = (answered_at IS NULL)", name=op.f("ck_proposals_answered_once")
        ),
        sa.CheckConstraint("(message IS NULL) = (channel IS NULL)", name=op.f("ck_proposals_whole_message")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_proposals")),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name=op.f("fk_proposals_match_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["match_id", "seat"], ["seats.match_id", "seats.seat"], name=op.f("fk_proposals_match_id_seat")
        ),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_proposals_match_id_seat", "proposals", ["match_id", "seat"])
    still_open = sa.text("answered_at IS NULL")
    op.create_index(
        "ix_proposals_open",
        "proposals",
        ["match_id", "matter"],
        unique=True,
        sqlite_where=still_open,
        postgresql_where=still_open,
    )
    op.create_table(
        "consents",
        sa.Column("proposal_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("agreed_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("seat >= 0", name=op.f("ck_consents_from_zero")),
        sa.PrimaryKeyConstraint("proposal_id", "seat", name=op.f("pk_consents")),
        sa.ForeignKeyConstraint(
            ["proposal_id"], ["proposals.id"], name=op.f("fk_consents_proposal_id"), ondelete="CASCADE"
        ),
    )


def downgrade() -> None:
    for table in ("consents", "proposals"):
        op.drop_table(table)
