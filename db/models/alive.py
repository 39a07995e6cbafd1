"""When the host was last there: one row that all processes share."""

from datetime import datetime

from sqlalchemy import CheckConstraint
from sqlalchemy.orm import Mapped, mapped_column

from db.models.base import Base


class AliveRow(Base):
    """The only row. It is written again and again while a process is connected to Discord."""

    __tablename__ = "alive"
    __table_args__ = (CheckConstraint("id = 1", name="only_one"),)

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    at: Mapped[datetime]
