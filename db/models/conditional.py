"""Conditional moves: the variations that members have entered in running matches."""

from sqlalchemy import CheckConstraint, ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from db.models.base import Base, UserId
from db.types import Words
from db.values.conditional import Variation


class VariationRow(Base):
    """A variation. One with fewer `plies` than its match has entries is still to be compared with the log."""

    __tablename__ = "variations"
    __table_args__ = (
        CheckConstraint("plies >= 0", name="from_zero"),
        # Ids are in the custom ids of buttons: no id may be used twice.
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id", ondelete="CASCADE"))
    user_id: Mapped[UserId]
    plies: Mapped[int]
    moves: Mapped[Words]

    def value(self) -> Variation:
        return Variation(self.id, self.match_id, self.user_id, self.plies, self.moves)


Index("ix_variations_match_id_plies", VariationRow.match_id, VariationRow.plies)
Index("ix_variations_user_id", VariationRow.user_id)
