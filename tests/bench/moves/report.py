"""The table of a run, and its measurements as JSON."""

import json
import platform
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from tests.bench.moves.measure import Measured

FILE = Path("build/moves.json")
PARTS = ("load", "referee", "store", "draw", "encode", "send", "panel", "receive", "answer")
"""`panel` is the text and the controls of a board, `receive` the reading of Discord's events, `answer` all other code
that a press runs. What is in none of them is the event loop with its sockets, and threads that wake up."""
HEAD = (
    f"{'':<14}{'moves':>6}{'CPU ms':>8}{'floor':>7}{'ratio':>7} |"
    + "".join(f"{part:>8}" for part in (*PARTS, "loop"))
    + f" |{'SQL':>5}{'tx':>4}{'REST':>5} |{'ms':>7}{'95%':>7}{'bare':>7}{'95%':>7}{'ratio':>7}"
)


def write_report(measured: Sequence[Measured]) -> None:
    """Print the table, and write all measurements to `build/moves.json`."""
    games = list(dict.fromkeys(one.game for one in measured))
    print(HEAD)
    lines = {game: [one for one in measured if one.game == game] for game in games}
    for game, of_game in lines.items():
        print(line(game, of_game))
    print(line("all", measured))
    ratios = [cpu_ratio(of_game) for of_game in lines.values()]
    print(
        f"Ratio to the floor: median over the games {statistics.median(ratios):.1f}, highest {max(ratios):.1f}."
    )
    FILE.parent.mkdir(exist_ok=True)
    run = {"at": datetime.now(UTC).isoformat(timespec="seconds"), "python": platform.python_version()}
    FILE.write_text(json.dumps({**run, "moves": [asdict(one) for one in measured]}, indent=1))
    print(f"All measurements are in {FILE}.")


def line(name: str, measured: Sequence[Measured]) -> str:
    plain = [one for one in measured if not one.traced] or measured
    traced = [one for one in measured if one.traced]
    median = statistics.median(one.cpu for one in plain)
    floor = statistics.median(one.floor for one in measured)
    waited, bare = [one.waited for one in plain], [one.bare_waited for one in measured]
    shares = [share(traced, part) * median for part in PARTS]
    cells = [f"{name:<14}{len(measured):>6}{median:>8.1f}{floor:>7.1f}{median / floor:>7.1f} |"]
    cells += [f"{spent:>8.1f}" for spent in (*shares, median - sum(shares))]
    cells += [f" |{_median(traced, 'statements'):>5.0f}{_median(traced, 'transactions'):>4.0f}"]
    cells += [f"{statistics.median(one.requests for one in plain):>5.0f} |"]
    cells += [f"{statistics.median(waited):>7.1f}{high(waited):>7.1f}"]
    cells += [f"{statistics.median(bare):>7.1f}{high(bare):>7.1f}"]
    cells += [f"{statistics.median(waited) / statistics.median(bare):>7.1f}"]
    return "".join(cells)


def cpu_ratio(measured: Sequence[Measured]) -> float:
    plain = [one.cpu for one in measured if not one.traced] or [one.cpu for one in measured]
    return statistics.median(plain) / statistics.median(one.floor for one in measured)


def share(traced: Sequence[Measured], part: str) -> float:
    """Return the share of a part in the processor time of the traced moves."""
    whole = sum(one.cpu for one in traced)
    return sum(one.parts.get(part, 0.0) for one in traced) / whole if whole else 0.0


def high(values: Iterable[float]) -> float:
    """Return the 95th percentile."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]


def _median(traced: Sequence[Measured], what: str) -> float:
    return statistics.median(getattr(one, what) for one in traced) if traced else 0.0
