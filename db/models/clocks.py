"""When the bot was last connected, for all processes. The clocks of seats are in db.models.matches."""

from datetime import datetime

from sqlalchemy import CheckConstraint
from sqlalchemy.orm import Mapped, mapped_column

from db.models.base import Base


class AliveRow(Base):
    """The only row of its table, renewed every few seconds while a process is connected to Discord."""

    __tablename__ = "alive"
    __table_args__ = (CheckConstraint("id = 1", name="only_one"),)

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    at: Mapped[datetime]
