"""The application of procrastinate: its connection and its logs."""

import logging

from procrastinate import App, PsycopgConnector

from db.address import Server
from db.jobs.schema import ALIVE, configure

MOVES, MOMENTS = "moves", "moments"
"""The queues: searches that somebody waits for, and those for puzzles, which are done when there is nothing else."""
TASK = "search"
"""The task: its only argument `search` is the id of a row of `searches`."""


def application(place: Server, connections: int) -> App:
    """Return an application with so many connections at most, not open yet."""
    # At the level info procrastinate logs each job.
    logging.getLogger("procrastinate").setLevel(logging.WARNING)
    return App(
        connector=PsycopgConnector(
            conninfo=place.dsn,
            min_size=1,
            max_size=connections,
            kwargs=ALIVE,
            configure=configure,
        )
    )
