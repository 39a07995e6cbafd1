"""The referee as a program: what it writes when it is run and spoken to over a pipe."""

import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from rules.__main__ import answer

ROOT = Path(__file__).parents[2]


def referee(sent: bytes) -> list[bytes]:
    """Return the lines that `python -m rules` answers to these bytes; it must end well and complain to nobody."""
    done = subprocess.run(
        [sys.executable, "-m", "rules"], input=sent, capture_output=True, cwd=ROOT, timeout=120, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == b"" or done.stdout.endswith(b"\n")
    return done.stdout.splitlines()


def ask(lines: Iterable[object]) -> list[dict[str, Any]]:
    """Return the answers that the program would write to these JSON values, one each."""
    return [json.loads(json.dumps(answer(json.dumps(line)))) for line in lines]
