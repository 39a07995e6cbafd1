"""The columns of a member's games that profiles ask for, beside the member, so that one index answers.

Revision ID: 0020
Revises: 0019
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

FARED = ["user_id", "at", "match_id", "game", "guild", "everywhere", "seat", "outcome", "rank"]
COLUMNS: dict[str, sa.types.TypeEngine[Any]] = {
    "game": sa.String(),
    "guild": sa.BigInteger(),
    "everywhere": sa.Boolean(),
    "outcome": sa.String(16),
}


def upgrade() -> None:
    for name, kind in COLUMNS.items():
        op.add_column("rated_seats", sa.Column(name, kind, nullable=True))
    op.execute(
        "UPDATE rated_seats SET"
        " game = (SELECT game FROM rated WHERE rated.match_id = rated_seats.match_id),"
        " everywhere = (SELECT everywhere FROM rated WHERE rated.match_id = rated_seats.match_id),"
        " guild = (SELECT guild FROM matches WHERE matches.id = rated_seats.match_id),"
        " outcome = CASE WHEN rank > 1 THEN 'lost' WHEN 1 < (SELECT count(*) FROM rated_seats AS equals"
        " WHERE equals.match_id = rated_seats.match_id AND equals.rank = 1) THEN 'drawn' ELSE 'won' END"
    )
    op.drop_index("ix_rated_seats_user_id_at", "rated_seats")
    with op.batch_alter_table("rated_seats") as table:
        for name, kind in COLUMNS.items():
            if name != "guild":
                table.alter_column(name, existing_type=kind, nullable=False)
        table.create_check_constraint(op.f("ck_rated_seats_outcome"), "outcome IN ('won', 'drawn', 'lost')")
    op.create_index("ix_rated_seats_fared", "rated_seats", FARED)


def downgrade() -> None:
    op.drop_index("ix_rated_seats_fared", "rated_seats")
    with op.batch_alter_table("rated_seats") as table:
        table.drop_constraint(op.f("ck_rated_seats_outcome"), type_="check")
        for name in COLUMNS:
            table.drop_column(name)
    op.create_index("ix_rated_seats_user_id_at", "rated_seats", ["user_id", "at"])
