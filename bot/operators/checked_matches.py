"""The comparison of stored matches with their own records, in this process or in several."""

import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path

from bot.app.achievements import awarded
from bot.app.matches.loaded import LoadedMatch, counting, outcomes
from bot.app.matches.move_log import turns_of
from bot.app.matches.results import rated_places
from db.engine import open_to_read
from db.inspection import BATCH, PROVE, RERATE, RESTORE, Examined, Finding, matches_after
from db.sessions import Sessions
from db.values.failures import StoreUnavailable
from db.values.members import is_person
from db.values.places import former
from rules.core.errors import RuleError
from rules.core.match import Match
from rules.games import find


def check_match(examined: Examined) -> Iterator[Finding]:
    """Replay a match and yield what does not follow from its record. Findings quote no move: it may be hidden."""
    stored = examined.stored
    about = f"match {stored.id}"
    if examined.inconsistent is not None:
        yield Finding(about, examined.inconsistent, RESTORE)
        return
    try:
        # Not LoadedMatch.of: what it remembers for the next press is of no use here.
        record = [stored.log[index] for index in counting(stored.log)]
        loaded = LoadedMatch(stored, Match.replay(find(stored.setup.game), stored.setup, record))
    except (ValueError, LookupError, ArithmeticError, TypeError) as error:
        yield Finding(about, f"its record cannot be replayed ({_reason(examined, error)})", RESTORE)
        return
    match = loaded.match
    if match.over != (stored.finished_at is not None):
        wrong = (
            "its record ends it, and it is stored as going on"
            if match.over
            else "it is stored as over, and its record goes on"
        )
        yield Finding(about, wrong, RESTORE)
        return
    due = outcomes(match) if stored.void is None else None
    if stored.outcomes != due:
        yield Finding(
            about, f"its result is stored as {_said(stored.outcomes)}, its record gives {_said(due)}", RESTORE
        )
    if stored.finished_at is not None:
        yield from _check_consequences(about, examined, match)
    elif stored.turns is not None and stored.turns != turns_of(
        replace(loaded, stored=replace(stored, turns=None))
    ):
        yield Finding(about, "the stored turns are not those of its record", RESTORE)


def _check_consequences(about: str, examined: Examined, match: Match) -> Iterator[Finding]:
    """Yield what is wrong with what a finished match has changed: ranks and achievements."""
    stored = examined.stored
    ranks = rated_places(stored, match) if stored.rated and stored.void is None else None
    # A match in which a computer player took a seat is casual, and may have changed the rating of who left before.
    if examined.ranks != ranks and not any(stored.leavers):
        if ranks is None:
            wrong = "it has changed ratings, which it must not"
        elif examined.ranks is None:
            wrong = "it has changed no ratings, and should have"
        else:
            wrong = f"it is rated with the ranks {_said(examined.ranks)}, its record gives {_said(ranks)}"
        yield Finding(about, wrong, RERATE)
    proved = frozenset(
        (user, award.key)
        for award in (awarded(match, stored.users) if stored.void is None else ())
        if award.seat not in stored.hinted
        and not former(user := stored.users[award.seat])
        and is_person(user)
    )
    for user, key in sorted(proved ^ examined.awards):
        wrong = "lacks" if (user, key) in proved else "has not earned"
        yield Finding(about, f"member {user} {wrong} the achievement {key}", PROVE)


def _reason(examined: Examined, error: Exception) -> str:
    """Return the kind of the error in words; its own text may quote a hidden move."""
    setup, version = examined.stored.setup, examined.stored.version
    try:
        now = find(setup.game).version
    except RuleError:
        return f"there is no game {setup.game}"
    if now != version:
        return f"it was played by version {version} of the rules of {setup.game}, which are at {now}"
    return type(error).__name__


def _said(values: tuple[object, ...] | None) -> str:
    return "none" if values is None else ", ".join(map(str, values))


RANGE = 10 * BATCH
"""The ids of a range. A database with fewer matches is not worth the start of processes."""


@dataclass(frozen=True, slots=True)
class CheckedRange:
    """The number of matches in a range, and what is wrong with them."""

    matches: int
    findings: tuple[Finding, ...]


def cores() -> int:
    """Return the number of processor cores that this process may use."""
    return len(os.sched_getaffinity(0))


async def check_ranges(
    sessions: Sessions, url: str | None, data_dir: Path, highest: int, processes: int
) -> AsyncIterator[CheckedRange]:
    """Check all matches up to the highest id, in order. Raises StoreUnavailable.

    With several processes memory holds one batch of matches in each, and what is wrong in ranges that wait for their
    turn.
    """
    starts = range(0, highest, RANGE)
    if processes == 1 or len(starts) <= 1:
        for after in starts:
            yield await _check_range(sessions, after, after + RANGE)
        return
    loop = asyncio.get_running_loop()
    # Not by fork: this process has threads.
    with ProcessPoolExecutor(min(processes, len(starts)), mp_context=get_context("spawn")) as pool:
        futures = [
            loop.run_in_executor(pool, _check_alone, url, data_dir, after, after + RANGE) for after in starts
        ]
        try:
            for future in futures:
                yield await future
        except BrokenProcessPool:
            raise StoreUnavailable(
                "A process that checks was ended from outside: try again, with --processes 1 if memory is short."
            ) from None
        finally:
            for future in futures:
                future.cancel()


def _check_alone(url: str | None, data_dir: Path, after: int, last: int) -> CheckedRange:
    """Check a range in a process of its own."""

    async def check() -> CheckedRange:
        async with open_to_read(url, data_dir) as sessions:
            return await _check_range(sessions, after, last)

    return asyncio.run(check())


async def _check_range(sessions: Sessions, after: int, last: int) -> CheckedRange:
    """Check the matches after one up to another, by their ids."""
    matches, findings = 0, list[Finding]()
    while True:
        # A transaction for each batch: a long one would keep the database from clearing up while the bot runs.
        async with sessions.read() as session:
            batch = await matches_after(session, after, last)
        if not batch:
            return CheckedRange(matches, tuple(findings))
        findings += (finding for examined in batch for finding in check_match(examined))
        matches += len(batch)
        after = batch[-1].stored.id
