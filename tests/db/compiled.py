"""A pytest plugin: statements are compiled once per worker, not once per engine.

SQLAlchemy keeps compiled statements per engine and per dialect object. Most tests open an engine of their own, so they
would spend about as much time on compiling statements as on running them.
"""

from typing import Any

from sqlalchemy import Engine
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.postgresql.asyncpg import PGDialect_asyncpg
from sqlalchemy.dialects.sqlite.aiosqlite import SQLiteDialect_aiosqlite
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite

CACHE: dict[Any, Any] = {}


class Shared:
    """A dialect whose objects are equal, so that the statements compiled for one serve all."""

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other)

    def __hash__(self) -> int:
        return hash(type(self))

    @classmethod
    def engine_created(cls, engine: Engine) -> None:
        engine.update_execution_options(compiled_cache=CACHE)


class Sqlite(Shared, SQLiteDialect_pysqlite):
    supports_statement_cache = True


class AsyncSqlite(Shared, SQLiteDialect_aiosqlite):
    supports_statement_cache = True


class Postgresql(Shared, PGDialect_asyncpg):
    supports_statement_cache = True


registry.register("sqlite", __name__, "Sqlite")
registry.register("sqlite.pysqlite", __name__, "Sqlite")
registry.register("sqlite.aiosqlite", __name__, "AsyncSqlite")
registry.register("postgresql.asyncpg", __name__, "Postgresql")
