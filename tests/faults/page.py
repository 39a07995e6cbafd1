"""The page of the faults: what members and operators see of each, and what became of the moves."""

from collections import Counter
from collections.abc import Mapping, Sequence

from tests.faults.catalogue import PlayedFault
from tests.faults.stages import Report

HEAD = """# Faults

What members and operators see when Discord, the database or the machine fails. `python -m tests.faults` injects each of
these faults while games are played, holds what is seen against what is expected, and writes this page; with words it
injects only the faults whose names hold one of them. `make test` injects a fixed sample with each kind of handling, and
`make soak` injects all of them.

A move is *lost* if it was shown and is not stored, *doubled* if it is stored twice, and *unseen* if in the end the game
has no board that shows it, another board, or a mention of somebody who is not to move.

*Log lines* are all lines from the level warning on, with their number for one injection, and *counters* all counters of
failures that grew ([operations](operations.md) explains them). No other line and no traceback was logged. What the bot
does by itself, and what libraries report, is logged once a minute for each kind, so some lines are missing where faults
follow each other. The bot of these tests looks at what is left to do every two seconds instead of every 15 seconds.

{injected} injections of {faults} faults, {moves} moves: {lost} lost, {doubled} doubled, {unseen} unseen.

| fault | members see | log lines | counters | times | moves | lost | doubled | unseen |
|---|---|---|---|---:|---:|---:|---:|---:|
"""
WRITTEN = "\nSQLite is made read-only by"
"""The beginning of the part that is written by hand: notes, and the tables of faults that have tests of their own."""


def page(reports: Mapping[PlayedFault, Report], before: str) -> str:
    """Return the page. The part that is written by hand is that of the page `before`."""
    counts = [it.counts for it in reports.values()]
    head = HEAD.format(
        faults=len(reports),
        injected=sum(it.injected for it in counts),
        moves=sum(it.moves for it in counts),
        lost=sum(it.lost for it in counts),
        doubled=sum(it.doubled for it in counts),
        unseen=sum(it.unseen for it in counts),
    )
    rows = [
        _row(
            fault.name, fault.members, _measured(it.lines), _measured(it.failures),
            it.counts.injected, it.counts.moves, it.counts.lost, it.counts.doubled, it.counts.unseen,
        )
        for fault, it in reports.items()
    ]  # fmt: skip
    _, mark, written = before.partition(WRITTEN)
    return "".join((head, *rows, mark, written))


def _measured(seen: Sequence[Counter[str]]) -> str:
    """Return what was seen of the injections, each with its number or the least and the most."""
    found = []
    for what in dict.fromkeys(what for one in seen for what in one):
        numbers = [one[what] for one in seen]
        if max(numbers):
            several = f"{min(numbers)} to {max(numbers)}" if len(set(numbers)) > 1 else str(numbers[0])
            found.append(f"`{what}` {several}")
    return "; ".join(found) or "none"


def _row(*cells: object) -> str:
    return f"| {' | '.join(map(str, cells))} |\n"
