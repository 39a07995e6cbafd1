"""What matches have made of their players' ratings."""

from bot.app.ports import RatingStore
from bot.app.table import Table
from db.values import Change


class Ratings:
    """The ratings of members. What changes them is stored with the result (see `bot.app.ledger`)."""

    def __init__(self, store: RatingStore) -> None:
        self._store = store

    async def changes(self, table: Table) -> tuple[Change, ...]:
        """How a match has changed its players' ratings in its game and server, by seat; nothing if it has not."""
        return (await self._store.rating_changes(table.id) or ()) if table.match.revealed else ()
