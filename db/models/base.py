"""What all tables share: types, names by rule, and indexes of a few rows."""

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated, Any

from sqlalchemy import BigInteger, ColumnElement, Enum, Index, MetaData
from sqlalchemy.orm import DeclarativeBase, InstrumentedAttribute, mapped_column

from db.api.challenges import Answer, Order, Reply
from db.api.clocks import TimeControl
from db.api.matches import Outcome
from db.api.members import Notice
from db.api.proposals import Matter
from db.types import (
    HeldPacked,
    Holding,
    Ids,
    ListJson,
    Options,
    OptionsJson,
    Span,
    TimeControlText,
    UtcTime,
    Words,
)

HOLDS = "holds"
"""Where a column's `info` says what kind of thing it holds, for whoever must find all that is kept of a member."""

UserId = Annotated[int, mapped_column(BigInteger, info={HOLDS: "member"})]
"""A member's Discord id, or a number below zero that is nobody's: 64 bits, of which Discord leaves the sign unused."""

GuildId = Annotated[int, mapped_column(BigInteger, info={HOLDS: "server"})]
"""A server's Discord id."""

Snowflake = Annotated[int, mapped_column(BigInteger, info={HOLDS: "place"})]
"""The Discord id of a channel or a message, never of a server or a member."""

Typed = Annotated[str, mapped_column(info={HOLDS: "words"})]
"""Words that somebody typed, who may have named a member in them."""


def words(kind: type[StrEnum]) -> Enum:
    """One of the values of `kind`, as a word with a CHECK: easier to extend than a native enum."""
    return Enum(
        kind,
        native_enum=False,
        create_constraint=True,
        length=16,
        name=kind.__name__.lower(),
        values_callable=lambda members: [member.value for member in members],
    )


class Base(DeclarativeBase):
    # Names by rule, so that a later migration can drop what an earlier one made, on either database.
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
        Options: OptionsJson,
        Ids: ListJson,
        Holding: HeldPacked,
        Words: ListJson,
        Outcome: words(Outcome),
        Answer: words(Answer),
        Notice: words(Notice),
        Reply: words(Reply),
        Order: words(Order),
        Matter: words(Matter),
    }


def partial(
    name: str, condition: ColumnElement[bool], *columns: InstrumentedAttribute[Any], unique: bool = False
) -> Index:
    """An index of the rows alone that fulfil `condition`.

    What is asked often is asked of few rows; their index stays small for ever. The condition uses no parameter, since
    a database picks a partial index before it knows a parameter's value.
    """
    return Index(name, *columns, unique=unique, sqlite_where=condition, postgresql_where=condition)
