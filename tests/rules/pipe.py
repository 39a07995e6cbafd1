"""The referee as a program: what it writes when it is run and spoken to over a pipe."""

import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]


def referee(sent: bytes) -> list[bytes]:
    """The lines that `python -m rules` answers to these bytes; it must end well and complain to nobody."""
    done = subprocess.run(
        [sys.executable, "-m", "rules"], input=sent, capture_output=True, cwd=ROOT, timeout=120, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == b"" or done.stdout.endswith(b"\n")
    return done.stdout.splitlines()


def ask(lines: Iterable[object]) -> list[dict[str, Any]]:
    """The answers to these JSON values, one each."""
    sent = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    return [json.loads(line) for line in referee(sent)]
