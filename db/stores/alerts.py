"""Alerts about channels, in the database."""

from datetime import datetime

from sqlalchemy.dialects import postgresql, sqlite

from db.api.places import DiscordId
from db.models import AlertRow
from db.stores.base import Kept


class AlertStore(Kept):
    """When those who run a server were last alerted about one of its channels."""

    async def alert(self, guild: DiscordId, channel: DiscordId, at: datetime, since: datetime) -> bool:
        """Remember an alert at `at`, unless there was one after `since`; whether there was none.

        It is one statement, so of several at once only one is answered True.
        """
        async with self._sessions.write() as session:
            build = postgresql.insert if session.get_bind().dialect.name == "postgresql" else sqlite.insert
            made = build(AlertRow).values(channel_id=channel, guild_id=guild, alerted_at=at)
            made = made.on_conflict_do_update(
                index_elements=["channel_id"], set_={"alerted_at": at}, where=AlertRow.alerted_at <= since
            )
            return (await session.execute(made.returning(AlertRow.channel_id))).first() is not None
