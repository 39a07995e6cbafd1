"""The last activity of members and servers, with a row for each of which anything is stored."""

import sqlalchemy as sa
from alembic import op

revision = "0045"
down_revision = "0044"

MEMBERS = sa.text("""
INSERT INTO members (user_id, notice, forced)
SELECT user_id, 'ping', :off FROM (
    SELECT user_id FROM seats UNION
    SELECT user_id FROM participants UNION
    SELECT user_id FROM lessons UNION
    SELECT user_id FROM puzzle_attempts UNION
    SELECT user_id FROM blocks
) AS known
WHERE user_id > 0 AND user_id NOT BETWEEN 9001 AND 9045 AND user_id NOT IN (SELECT user_id FROM members)
""")
SERVERS = sa.text("""
INSERT INTO guilds (guild_id, channels, withheld, threads)
SELECT guild, '[]', '[]', :off FROM (
    SELECT guild FROM matches UNION
    SELECT guild FROM challenges UNION
    SELECT guild_id FROM alerts
) AS known
WHERE guild IS NOT NULL AND guild NOT IN (SELECT guild_id FROM guilds)
""")


def upgrade() -> None:
    op.add_column("members", sa.Column("active_on", sa.Date(), nullable=True))
    op.add_column("members", sa.Column("look_up_on", sa.Date(), nullable=True))
    op.add_column("guilds", sa.Column("active_on", sa.Date(), nullable=True))
    op.create_index("ix_members_active_on", "members", ["active_on"])
    op.create_index("ix_members_look_up_on", "members", ["look_up_on"])
    op.create_index("ix_guilds_active_on", "guilds", ["active_on"])
    op.execute(MEMBERS.bindparams(sa.bindparam("off", False, sa.Boolean())))
    op.execute(SERVERS.bindparams(sa.bindparam("off", False, sa.Boolean())))
