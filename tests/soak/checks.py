"""The checks at the end of a soak. Each yields a sentence for everything that is wrong."""

import asyncio
import re
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator, Sequence
from statistics import linear_regression

from bot.operators.check import check
from db.inspection import Finding
from tests.bench.moves.playing import boards_on
from tests.leaks.notations import tells
from tests.many_processes.deployment import Deployment
from tests.many_processes.ledger import Ledger, all_matches
from tests.soak.hidden_rows import HiddenRows
from tests.soak.posts import wrong_posts
from tests.soak.timings import Waited

SETTLED = 60.0
"""Seconds within which the last moves must be shown."""
STEEPEST = 3.0
"""MiB by which the memory of a process may grow in 1,000 moves, over the second half of a soak."""
FEWEST = 2_000
"""Moves in the second half from which a slope says something: caches fill up to their bounds first."""
UNANSWERED = 0.001
"""The share of interactions that may be left without an answer while nothing was disturbed."""
_ERROR = re.compile(r"\[(?:error|critical) *\]|^Traceback", re.MULTILINE)


async def games_are_right(deployment: Deployment, ledger: Ledger) -> AsyncIterator[str]:
    """Compare every stored match with what its members did, and Discord with the posts that are stored.

    In direct messages among members the bot only answers, and cannot take back a board that it has shown: there only
    the moves are compared.
    """
    matches = [stored async for stored in all_matches(deployment)]
    for stored in matches:
        try:
            if stored.id in ledger.tried or stored.id in ledger.begun:
                ledger.check(stored)
        except AssertionError as error:
            yield str(error)
    in_servers = {stored.id: stored for stored in matches if stored.place.guild is not None}
    for match, plies in ledger.doubled():
        if match in ledger.tried and match in in_servers:
            yield f"several messages show match {match} after {plies} plies: {_told(deployment, match)}"
    until = time.monotonic() + SETTLED
    while wrong := [it async for it in wrong_posts(deployment.local, deployment.url, deployment.folder)]:
        if time.monotonic() > until:
            for sentence in wrong[:10]:
                yield sentence
            return
        await asyncio.sleep(1)


def _told(deployment: Deployment, match: int) -> str:
    """Return the public messages with a board of a match."""
    return ", ".join(
        f"{message.id} in {message.channel_id} after {plies} plies"
        for messages in deployment.local.world.messages.values()
        for message in messages.values()
        if message.ephemeral_for is None
        for board, plies in boards_on(message)
        if board == match
    )


async def database_is_right(deployment: Deployment) -> AsyncIterator[str]:
    """Check the database as `python -m bot check` does: results replay, and ratings equal a recount."""
    found: list[Finding] = []
    checked = await check(deployment.url or None, deployment.folder, found.append)
    print(f"python -m bot check: {checked}", flush=True)
    for finding in found[:20]:
        yield str(finding)


def logs_are_clean(deployment: Deployment, rows: HiddenRows) -> Iterator[str]:
    """Search the logs for errors and for hidden rows."""
    warnings: defaultdict[str, int] = defaultdict(int)
    for log in deployment.all_logs:
        text = log.read_text(errors="replace")
        for found in _ERROR.finditer(text):
            yield f"{log.parent.name} has logged: {text[found.start() :].splitlines()[0][:300]}"
        for line in text.splitlines():
            if "[warning" in line:
                warnings[line.partition("]")[2].strip().split("  ")[0]] += 1
        yield from (
            f"{log.parent.name} has logged the hidden row {row}" for row in rows.rows if tells(text, row)
        )
    for warning, number in warnings.items():
        print(f"  logged as a warning, {number} times: {warning}")


def rows_are_hidden(rows: HiddenRows) -> Iterator[str]:
    """Search for the rows that are still hidden, and tell what was found in all."""
    rows.show_all()
    print(f"{len(rows.rows)} hidden rows: {rows.searched} messages were searched for them")
    yield from rows.told


def memory_is_flat(seen: dict[str, list[tuple[int, float]]]) -> Iterator[str]:
    """Print the slope of each process over the second half of its own moves; too steep a one is wrong."""
    for name, samples in seen.items():
        late = [sample for sample in samples if sample[0] >= (samples[0][0] + samples[-1][0]) / 2]
        if len(late) < 3 or late[0][0] == late[-1][0]:
            continue
        slope = 1000 * linear_regression(*zip(*late, strict=True)).slope
        moves = late[-1][0] - late[0][0]
        print(f"memory of {name}: {slope:+.2f} MiB in 1,000 moves over its last {moves} moves")
        if moves >= FEWEST and slope > STEEPEST:
            yield f"the memory of {name} grows by {slope:.1f} MiB in 1,000 moves"


def answers_came(
    acknowledged: Sequence[Waited],
    unanswered: Sequence[tuple[float, str]],
    disturbed: Sequence[tuple[float, float]],
    began: float,
) -> Iterator[str]:
    """Tell how many interactions had no answer within three seconds; undisturbed, nearly all must have one."""
    calm = [one for one in unanswered if not any(since <= one[0] <= until for since, until in disturbed)]
    print(
        f"{len(unanswered)} interactions had no answer within three seconds, {len(calm)} of them undisturbed"
    )
    for at, what in calm[:10]:
        print(f"  {at - began:.0f} s after the beginning: {what}")
    if len(calm) > max(1, UNANSWERED * len(acknowledged)):
        yield f"{len(calm)} of {len(acknowledged)} interactions had no answer, though nothing was disturbed"
