"""Failed items of background rounds in the database."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime

from sqlalchemy import delete, select

from db.models import FailedItemRow
from db.stores.base import StorePart, upsert
from db.values.failures import FailedItem


class FailedItemStore(StorePart):
    """The failed items of all background tasks."""

    async def listed(self, limit: int) -> Sequence[FailedItem]:
        """Return failed items, ordered by task and time of the first failure; at most `limit`."""
        query = (
            select(FailedItemRow)
            .order_by(FailedItemRow.task, FailedItemRow.since, FailedItemRow.item)
            .limit(limit)
        )
        async with self._sessions.read() as session:
            return [row.value() for row in await session.scalars(query)]

    async def keep(self, failed: FailedItem) -> None:
        """Store a failed item, or replace it if it is stored already."""
        values = asdict(failed)
        key = {name: values.pop(name) for name in ("task", "item")}
        async with self._sessions.write() as session:
            await upsert(session, FailedItemRow, key, values)

    async def forget(
        self, task: str | None = None, item: str | None = None, *, due_before: datetime | None = None
    ) -> int:
        """Delete failed items: one, all of a task, or all. Return their number.

        With `due_before`, delete only those whose next attempt was due earlier.
        """
        gone = delete(FailedItemRow)
        if task is not None:
            gone = gone.where(FailedItemRow.task == task)
        if item is not None:
            gone = gone.where(FailedItemRow.item == item)
        if due_before is not None:
            gone = gone.where(FailedItemRow.retry_at < due_before)
        async with self._sessions.write() as session:
            return len((await session.execute(gone.returning(FailedItemRow.item))).all())
