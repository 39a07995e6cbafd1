"""The table of a run, and its measurements as JSON."""

import json
import platform
import statistics
from collections.abc import Iterable, Mapping, Sequence
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
    ratios = [_median_cpu(it) / statistics.median(one.floor for one in it) for it in lines.values()]
    print(
        f"Ratio to the floor: median over the games {statistics.median(ratios):.1f}, highest {max(ratios):.1f}."
    )
    write_profile(lines)
    FILE.parent.mkdir(exist_ok=True)
    run = {"at": datetime.now(UTC).isoformat(timespec="seconds"), "python": platform.python_version()}
    FILE.write_text(json.dumps({**run, "moves": [asdict(one) for one in measured]}, indent=1))
    print(f"All measurements are in {FILE}.")


def write_profile(lines: Mapping[str, Sequence[Measured]]) -> None:
    """Print where the time of a move goes: milliseconds of each function group, for each game and for all moves."""
    traced = [one for of_game in lines.values() for one in of_game if one.traced]
    groups = sorted({group for one in traced for group in one.parts}, key=_order)
    columns = {**lines, "all": [one for of_game in lines.values() for one in of_game]}
    print(f"{'milliseconds of a move':<30}" + "".join(f"{name[:8]:>9}" for name in columns))
    for group in groups:
        spent = [share(of_game, group, exact=True) * _median_cpu(of_game) for of_game in columns.values()]
        print(f"{group:<30}" + "".join(f"{one:>9.2f}" for one in spent))


def _order(group: str) -> tuple[int, str]:
    """Sort groups as the columns of the table."""
    return PARTS.index(group.partition(":")[0]), group


def line(name: str, measured: Sequence[Measured]) -> str:
    plain = [one for one in measured if not one.traced] or measured
    traced = [one for one in measured if one.traced]
    median = _median_cpu(measured)
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


def _median_cpu(measured: Sequence[Measured]) -> float:
    return statistics.median([one.cpu for one in measured if not one.traced] or [one.cpu for one in measured])


def share(measured: Sequence[Measured], part: str, *, exact: bool = False) -> float:
    """Return the share of a part in the processor time of the traced moves, with its groups unless `exact`."""
    traced = [one for one in measured if one.traced]
    whole = sum(one.cpu for one in traced)
    spent = sum(
        spent
        for one in traced
        for group, spent in one.parts.items()
        if group == part or (not exact and group.partition(":")[0] == part)
    )
    return spent / whole if whole else 0.0


def high(values: Iterable[float]) -> float:
    """Return the 95th percentile."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]


def _median(traced: Sequence[Measured], what: str) -> float:
    return statistics.median(getattr(one, what) for one in traced) if traced else 0.0
