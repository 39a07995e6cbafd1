"""The base of all tables: column types, naming rules and partial indexes."""

from dataclasses import fields
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated, Any, TypeVar

from sqlalchemy import BigInteger, ColumnElement, Enum, Index, MetaData
from sqlalchemy.orm import DeclarativeBase, InstrumentedAttribute, mapped_column

from db.types import (
    CompanionsJson,
    HeldSkills,
    Ids,
    ListJson,
    Options,
    OptionsJson,
    PackedSkills,
    Span,
    TimeControlText,
    TurnsJson,
    UtcTime,
    Words,
)
from db.values.challenges import Answer, Order, Reply
from db.values.clocks import TimeControl
from db.values.events import Correction, Deed, EventState, TitleKind
from db.values.matches import Outcome, Turns
from db.values.members import Notice
from db.values.posts import Companion, Occasion, PostKind
from db.values.proposals import Matter
from db.values.servers import ResultPicture

T = TypeVar("T")

HOLDS = "holds"
"""The key in a column's `info` for the kind of its content, by which the data of a member is found."""

UserId = Annotated[int, mapped_column(BigInteger, info={HOLDS: "member"})]
"""A member's Discord id, or a number below zero for a former member: Discord's 64 bits do not use the sign."""

GuildId = Annotated[int, mapped_column(BigInteger, info={HOLDS: "server"})]
"""A server's Discord id."""

Snowflake = Annotated[int, mapped_column(BigInteger, info={HOLDS: "place"})]
"""The Discord id of a channel or a message, never of a server or a member."""

Typed = Annotated[str, mapped_column(info={HOLDS: "words"})]
"""Text that somebody typed and that may name a member."""


def words(kind: type[StrEnum]) -> Enum:
    """Return a column type for the values of `kind`, with a CHECK: easier to extend than a native enum."""
    return Enum(
        kind,
        native_enum=False,
        create_constraint=True,
        length=16,
        name=kind.__name__.lower(),
        values_callable=lambda members: [member.value for member in members],
    )


class Base(DeclarativeBase):
    # Names by rule, so that a migration can drop on both databases what an earlier one created.
    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {  # noqa: RUF012 - read once by SQLAlchemy, which wants no ClassVar here
        datetime: UtcTime,
        timedelta: Span,
        TimeControl: TimeControlText,
        Turns: TurnsJson,
        Options: OptionsJson,
        Ids: ListJson,
        HeldSkills: PackedSkills,
        Words: ListJson,
        Outcome: words(Outcome),
        Answer: words(Answer),
        Notice: words(Notice),
        Reply: words(Reply),
        Order: words(Order),
        Matter: words(Matter),
        EventState: words(EventState),
        Correction: words(Correction),
        Deed: words(Deed),
        PostKind: words(PostKind),
        Occasion: words(Occasion),
        tuple[Companion, ...]: CompanionsJson,
        ResultPicture: words(ResultPicture),
        TitleKind: words(TitleKind),
    }

    def read_as(self, kind: type[T], **others: Any) -> T:
        """Return a value whose fields have the names of columns, but for those that `others` holds."""
        named: Any = kind
        own = {it.name: getattr(self, it.name) for it in fields(named) if it.name not in others}
        return kind(**own, **others)


def partial(
    name: str, condition: ColumnElement[bool], *columns: InstrumentedAttribute[Any], unique: bool = False
) -> Index:
    """Return an index of only those rows that meet `condition`.

    Most queries are about few rows, like running matches, so their index stays small. The condition has no parameter,
    since a database chooses a partial index before it knows the values of parameters.
    """
    return Index(name, *columns, unique=unique, sqlite_where=condition, postgresql_where=condition)
