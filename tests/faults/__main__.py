"""`python -m tests.faults`: inject every fault while games run, and write docs/faults.md."""

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from tests.faults.catalogue import START_FAULTS, PlayedFault
from tests.faults.scene import Counts
from tests.faults.stages import STAGES, inject, stage

PAGE = Path(__file__).parents[2] / "docs" / "faults.md"
HEAD = """# Faults

What members and operators see when Discord, the database or the machine fails. `python -m tests.faults` injects each of
these faults while games are played, and writes this page; `make test` injects most of them once.

A move is *lost* if it was shown and is not stored, *doubled* if it is stored twice, and *unseen* if no board shows it
in the end, or if its line is missing.

| fault | members see | operators see | times | moves | lost | doubled | unseen |
|---|---|---|---:|---:|---:|---:|---:|
"""
STARTS = """
At a start nobody plays yet. Each of these is injected by a test of its own:

| fault | operators see | test |
|---|---|---|
"""


async def run(times: int, folder: Path) -> dict[PlayedFault, Counts]:
    """Inject every fault so many times."""
    counts: dict[PlayedFault, Counts] = {}
    for name in STAGES:
        async with stage(name, None, folder / name) as set_up:
            if set_up is None:
                sys.exit("PostgreSQL is not installed: install the package postgresql.")
            scene, faults = set_up
            for fault in faults:
                counts |= await inject(scene, [fault], 1 if fault.long else times)
                print(f"{fault.name}: {counts[fault]}", flush=True)
    return counts


def page(counts: dict[PlayedFault, Counts]) -> str:
    """Return the page."""
    rows = [
        _row(
            fault.name, fault.members, fault.operators, it.injected, it.moves, it.lost, it.doubled, it.unseen
        )
        for fault, it in counts.items()
    ]
    starts = [_row(fault.name, fault.operators, f"`{fault.test}`") for fault in START_FAULTS]
    return "".join((HEAD, *rows, STARTS, *starts))


def _row(*cells: object) -> str:
    return f"| {' | '.join(map(str, cells))} |\n"


def main(arguments: Iterable[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("--times", type=int, default=3, help="how often each fault is injected (default: 3)")
    given = parser.parse_args(None if arguments is None else list(arguments))
    with tempfile.TemporaryDirectory() as folder:
        counts = asyncio.run(run(given.times, Path(folder)))
    PAGE.write_text(page(counts), encoding="utf-8")
    sys.exit(any(it.harm for it in counts.values()))


if __name__ == "__main__":
    main()
