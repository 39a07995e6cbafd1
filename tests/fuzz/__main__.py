"""The command `python -m tests.fuzz`: hostile inputs in any number, and what became of them."""

import argparse
import asyncio
import logging
import resource
import sys
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from random import Random

from tests.fuzz.campaign import Counts, Target, run
from tests.fuzz.commands import commands
from tests.fuzz.records import Imports
from tests.fuzz.referee import Moves, Setups

MEMORY = 4 * 2**30
"""Bytes of address space that the process may take; an input that wants more is a finding."""


def arguments() -> argparse.Namespace:
    reader = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    reader.add_argument("--inputs", type=int, default=10_000, help="so many in all")
    reader.add_argument(
        "--seed", default=str(Random().randrange(10**9)), help="the same seed makes the same inputs"
    )
    reader.add_argument("--target", action="append", help="only this target; may be given several times")
    reader.add_argument("--kinds", action="store_true", help="also print every kind of refusal")
    return reader.parse_args()


SHARES = {"moves": 0.6, "setups": 0.1, "records": 0.28, "commands": 0.02}
"""The part of the inputs that each target gets."""
MAKERS: dict[str, Callable[[str], AbstractAsyncContextManager[Target]]] = {
    "moves": lambda seed: nullcontext(Moves(seed)),
    "setups": lambda _: nullcontext(Setups()),
    "records": lambda seed: nullcontext(Imports(seed)),
    "commands": commands,
}
"""Each makes a target by a seed."""
ROUND = {"commands": 2_000}
"""The inputs after which a target is made again, because they have changed it."""


async def all_of(names: list[str], inputs: int, seed: str) -> list[Counts]:
    found = []
    whole = sum(SHARES[name] for name in names)
    for name in names:
        counts, wanted = Counts(name), round(inputs * SHARES[name] / whole)
        while counts.inputs < wanted:
            async with MAKERS[name](f"{seed} {counts.inputs}") as target:
                until = min(wanted, counts.inputs + ROUND.get(name, wanted))
                await run(target, until, seed, counts)
            print(counts.line(), flush=True)
        found.append(counts)
    return found


def main() -> int:
    wanted = arguments()
    names = wanted.target or list(SHARES)
    if wrong := set(names).difference(SHARES):
        print(f"{min(wrong)} is no target; choose from {', '.join(SHARES)}.", file=sys.stderr)
        return 2
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    logging.getLogger().addHandler(logging.NullHandler())
    print(f"seed {wanted.seed}", flush=True)
    found = asyncio.run(all_of(names, wanted.inputs, wanted.seed))
    for counts in found:
        for kind, number in counts.kinds.most_common() if wanted.kinds else ():
            print(f"{counts.name} {number:>8,} {kind}")
        for kind, (number, _) in counts.findings.items():
            print(f"{counts.name}: {number} x {kind}")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{sum(counts.inputs for counts in found):,} inputs, at most {peak} MiB of memory")
    return 1 if any(counts.findings for counts in found) else 0


if __name__ == "__main__":
    sys.exit(main())
