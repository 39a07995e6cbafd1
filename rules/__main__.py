"""The referee on a pipe: `python -m rules` reads JSON lines and writes one JSON line for each.

In: `{"game": "alaric", "options": {"size": 7}, "players": 2, "moves": [[0, "1"], [1, "3"]]}`
Out: `{"to_move": [0], "phase": "play", "legal": [...], "scores": [1, 1], "winners": null}`, with `"trace": true` one
such object for every ply from the start as `{"trace": [...]}`, and `{"error": "...", "ply": 3}` for an error.

`python -m rules bestmove` asks the computer players in the same way (`rules/players/bestmove.py`), also for the worth
of every move (`rules/players/explore.py`) and for the puzzles that a finished game came to
(`rules/puzzles/moments.py`), `python -m rules review` lets them judge finished games (`rules/players/review.py`),
`python -m rules solve GAME` prints the result of a game under best play (`rules/players/solve.py`),
`python -m rules puzzles GAME` makes its puzzles again (`rules/puzzles/make.py`),
`python -m rules new KEY "Its Title"` writes the files of a new game (`rules/skeleton`), and
`python -m rules lesson GAME` finds positions for its lesson (`rules/lesson_search.py`).
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path

from rules import lesson_search
from rules.core.errors import BadSetup, RuleError
from rules.core.match import Match
from rules.core.record import RECORD, has_field, read_line, read_moves, read_options
from rules.games import find
from rules.players import bestmove, explore, review, solve
from rules.players.player import Unsolvable
from rules.puzzles import moments
from rules.puzzles.make import make
from rules.puzzles.puzzle import write as write_puzzle
from rules.skeleton import KINDS, NEXT, NotWritten, tidy, write

FIELDS = (*RECORD, "trace")


def answer(line: str) -> dict[str, object]:
    """Return the answer to one line; never raises."""
    try:
        return _judge(read_line(line, FIELDS, '{"game": "alaric"}'))
    except RuleError as error:
        return {"error": str(error)}


def _judge(fields: Mapping[str, object]) -> dict[str, object]:
    game = find(str(fields["game"]))
    match = Match.start(game, *read_options(game, fields))
    moves = read_moves(fields)
    trace = [status(match)]
    for ply, (seat, text) in enumerate(moves):
        try:
            match = match.play(seat, text)
        except RuleError as error:
            return {"error": str(error), "ply": ply}
        if fields.get("trace") is True:
            trace.append(status(match))
    return {"trace": trace} if fields.get("trace") is True else status(match)


def status(match: Match) -> dict[str, object]:
    """Return the position of a match as the text interface describes it."""
    legal = match.legal()
    return {
        "to_move": list(match.to_move),
        "phase": match.game.phase(match.state),
        "legal": None if legal is None else sorted(legal),
        "scores": match.scores,
        "winners": match.winners,
    }


def _lines() -> Iterator[str]:
    """Return the lines that are not blank. Undecodable bytes spoil their own line only."""
    lines = (line.decode("utf-8", errors="replace") for line in sys.stdin.buffer)
    return (line for line in lines if line.strip())


def main(reply: Callable[[str], dict[str, object]] = answer) -> None:
    for line in _lines():
        print(json.dumps(reply(line)), flush=True)


def decided(line: str) -> dict[str, object]:
    """Return the answer of the computer players to one line: a move, all moves, or the moments of a game.

    Never raises.
    """
    if has_field(line, "moments"):
        return moments.answer(line)
    return explore.answer(line) if has_field(line, "every") else bestmove.answer(line)


def reviewed() -> None:
    """Judge the games of all lines, with one line for each move as soon as it is judged."""
    for line in _lines():
        for found in review.answers(line):
            print(json.dumps(found), flush=True)


def printed(lines: Callable[..., Iterable[str]], *words: str) -> int:
    """Print the lines that a command makes of these words, or on the standard error what is wrong; the exit status."""
    try:
        for line in lines(*words):
            print(line, flush=True)
    except (BadSetup, Unsolvable) as wrong:
        print(wrong, file=sys.stderr)
        return 2
    return 0


def solved(*words: str) -> Iterator[str]:
    """Yield the result of a game under best play, in parts if it has them."""
    return map(json.dumps, solve.results(words))


def puzzles(*words: str) -> Iterator[str]:
    """Yield the puzzles of a game, a line for each, as the stock holds them. Raises BadSetup."""
    if len(words) != 1:
        raise BadSetup("Say: python -m rules puzzles GAME")
    return map(write_puzzle, make(words[0]))


def new(*words: str) -> int:
    """Write the files of a new game into the clone that is the current folder; the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m rules new", description="Write a small game to begin with."
    )
    parser.add_argument("key", help="small letters and digits, like dots")
    parser.add_argument("title", nargs="?", help="like 'Dots and Boxes'; left out: the key")
    parser.add_argument("--moves", choices=[*KINDS], default="cell", help="what a move names")
    given = parser.parse_args(words)
    key = given.key
    try:
        written = write(Path.cwd(), key, given.title or key.capitalize(), given.moves)
    except NotWritten as wrong:
        print(wrong, file=sys.stderr)
        return 1
    tidy(path for path in written if path.suffix == ".py")
    command = [sys.executable, "-m", "tests.rules.playthroughs", key]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - a module of ours
    for path in written:
        print(path.relative_to(Path.cwd()))
    print(f"tests/rules/playthroughs/{key}.jsonl")
    print(NEXT.format(key=key))
    return 0


COMMANDS: Mapping[str, Callable[..., int | None]] = {
    "bestmove": lambda *_: main(decided),
    "review": lambda *_: reviewed(),
    "solve": partial(printed, solved),
    "puzzles": partial(printed, puzzles),
    "lesson": partial(printed, lesson_search.report),
    "new": new,
}

if __name__ == "__main__":
    name, *words = sys.argv[1:] or [""]
    if name in COMMANDS:
        sys.exit(COMMANDS[name](*words))
    main()
