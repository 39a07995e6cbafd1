"""Alembic runs this file: the migrations, on the connection and in the transaction of the caller."""

from typing import Any, Literal

from alembic import context
from alembic.autogenerate.api import AutogenContext
from sqlalchemy import DefaultClause
from sqlalchemy.sql.elements import False_, True_

from db.models import Base
from db.types import ListJson, OptionsJson, Span, TimeControlText, UtcTime


def plain(kind: str, item: Any, _: AutogenContext) -> str | Literal[False]:
    """Write our own column types as the types of the database, since a migration must outlive our code.

    Boolean defaults are written for both databases.
    """
    if kind == "type" and isinstance(item, UtcTime):
        return "sa.DateTime(timezone=True)"
    if kind == "type" and isinstance(item, Span):
        return "sa.BigInteger()"
    if kind == "type" and isinstance(item, OptionsJson | ListJson | TimeControlText):
        return "sa.Text()"
    if kind == "server_default" and isinstance(item, DefaultClause) and isinstance(item.arg, True_ | False_):
        return f"sa.{item.arg}()"
    return False


context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_item=plain,
    # SQLite can change little of a table in place, so generated changes copy the table there.
    render_as_batch=True,
    # Alembic assumes that SQLite commits DDL at once; with the settings of db.engine it does not.
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
