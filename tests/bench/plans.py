"""The plans by which a database answers queries."""

import re
from collections.abc import Awaitable
from typing import Any

from sqlalchemy import event
from sqlalchemy.ext.asyncio import AsyncEngine

NODE = re.compile(r"^\s*(?:->\s+)?(?P<step>.+?)\s+\(cost=")
"""A step of PostgreSQL's plan; lines between them say more about one."""


async def plan(engine: AsyncEngine, asking: Awaitable[object]) -> str:
    """The steps of all queries that `asking` makes of this database, each once, in one line."""
    asked: list[tuple[str, Any]] = []

    def note(_c: object, _k: object, statement: str, parameters: Any, *_: object) -> None:
        if statement.startswith("SELECT"):
            asked.append((statement, parameters))

    event.listen(engine.sync_engine, "before_cursor_execute", note)
    try:
        await asking
    finally:
        event.remove(engine.sync_engine, "before_cursor_execute", note)
    steps: dict[str, None] = {}
    async with engine.connect() as connection:
        for statement, parameters in asked:
            if engine.dialect.name == "sqlite":
                rows = await connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
                steps |= dict.fromkeys(row.detail for row in rows)
            else:
                rows = await connection.exec_driver_sql(f"EXPLAIN {statement}", parameters)
                steps |= dict.fromkeys(found["step"] for (line,) in rows if (found := NODE.match(line)))
    return "; ".join(steps)
