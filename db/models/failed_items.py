"""Items of background rounds that failed."""

from datetime import datetime

from sqlalchemy import CheckConstraint
from sqlalchemy.orm import Mapped, mapped_column

from db.models.base import Base
from db.values.failures import FailedItem


class FailedItemRow(Base):
    """An item that a background task could not process. The row is deleted once the item succeeds."""

    __tablename__ = "failed_items"
    __table_args__ = (CheckConstraint("times > 0", name="failed"),)

    task: Mapped[str] = mapped_column(primary_key=True)
    item: Mapped[str] = mapped_column(primary_key=True)
    error: Mapped[str]
    times: Mapped[int]
    since: Mapped[datetime]
    retry_at: Mapped[datetime | None]
    """NULL if the item is set aside: only an operator can have it retried."""

    def value(self) -> FailedItem:
        """Return the row as a value."""
        return FailedItem(self.task, self.item, self.error, self.times, self.since, self.retry_at)
