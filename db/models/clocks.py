"""When each shard of the bot was last connected, in any process. The clocks of seats are in db.models.matches."""

from datetime import datetime

from sqlalchemy import CheckConstraint
from sqlalchemy.orm import Mapped, mapped_column

from db.models.base import Base


class AliveRow(Base):
    """A shard, of so many, renewed every few seconds while a process connects it to Discord.

    Rows of another number of shards than today's are from before that was changed.
    """

    __tablename__ = "alive"
    __table_args__ = (CheckConstraint("shard BETWEEN 0 AND shards - 1", name="one_of_them"),)

    shards: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    shard: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    at: Mapped[datetime]
