"""`python -m tests.faults`: inject every fault while games run, and write docs/faults.md.

With words, only the faults are injected whose names hold one of them, and the page stays as it is.
"""

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from tests.faults.catalogue import PlayedFault
from tests.faults.page import page
from tests.faults.stages import ON_SQLITE, STAGES, Report, inject, stage

PAGE = Path(__file__).parents[2] / "docs" / "faults.md"
AT_ONCE = 3
"""Stages at once."""
Found = Mapping[PlayedFault, Report | BaseException]


async def run(times: int, words: Collection[str], folder: Path) -> Found:
    """Inject the faults so many times, on several stages at once. Those that show something unexpected have the error.

    Most of the time a stage waits for what takes long; but Discord waits three seconds for an answer.
    """
    few = asyncio.Semaphore(AT_ONCE)

    async def on(name: str) -> Found:
        async with few:
            return await _on(name, times, words, folder / name)

    found = await asyncio.gather(*map(on, STAGES))
    return {fault: report for one in found for fault, report in one.items()}


async def _on(name: str, times: int, words: Collection[str], folder: Path) -> Found:
    def wanted(fault: PlayedFault) -> bool:
        return not words or any(word in fault.name for word in words)

    found: dict[PlayedFault, Report | BaseException] = {}
    if name in ON_SQLITE and not any(map(wanted, ON_SQLITE[name])):
        return found
    async with stage(name, None, folder, wanted) as set_up:
        if set_up is None:
            sys.exit("PostgreSQL is not installed: install the package postgresql.")
        scene, faults = set_up
        for fault in faults:
            try:
                found[fault] = report = await inject(scene, fault, 1 if fault.once else times)
                print(f"{fault.name}: {report.counts}", flush=True)
            except (AssertionError, TimeoutError) as error:
                found[fault] = error
                print(f"{fault.name}: FAILED, {error}\n" + "\n".join(error.__notes__), flush=True)
                scene.local.faults.clear()
    return found


def main(arguments: Iterable[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("words", nargs="*", help="words in the names of the faults to inject (default: all)")
    parser.add_argument("--times", type=int, default=3, help="how often each fault is injected (default: 3)")
    given = parser.parse_args(None if arguments is None else list(arguments))
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(run(given.times, given.words, Path(folder)))
    reports = {fault: it for fault, it in found.items() if isinstance(it, Report)}
    failed = [fault.name for fault in found if fault not in reports]
    harmed = [fault.name for fault, it in reports.items() if it.counts.harm]
    if not given.words and not failed:
        PAGE.write_text(page(reports, PAGE.read_text(encoding="utf-8")), encoding="utf-8")
        print(f"{PAGE.name} is written.")
    if failed or harmed:
        sys.exit(f"Something else was seen than expected: {failed}. Moves were harmed: {harmed}.")


if __name__ == "__main__":
    main()
