"""The plans by which a database answers queries."""

import re
from collections.abc import Awaitable

from sqlalchemy.ext.asyncio import AsyncEngine

from tests.db.statements import statements

NODE = re.compile(r"^\s*(?:->\s+)?(?P<step>.+?)\s+\(cost=")
"""A step of PostgreSQL's plan; lines between them say more about one."""


async def plan(engine: AsyncEngine, asking: Awaitable[object]) -> str:
    """The steps of all queries that `asking` makes of this database, each once, in one line."""
    with statements() as asked:
        await asking
    steps: dict[str, None] = {}
    async with engine.connect() as connection:
        for statement, parameters in asked:
            if not statement.startswith("SELECT"):
                continue
            if engine.dialect.name == "sqlite":
                rows = await connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
                steps |= dict.fromkeys(row.detail for row in rows)
            else:
                rows = await connection.exec_driver_sql(f"EXPLAIN {statement}", parameters)
                steps |= dict.fromkeys(found["step"] for (line,) in rows if (found := NODE.match(line)))
    return "; ".join(steps)
