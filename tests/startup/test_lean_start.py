"""A start imports no library that it does not need."""

import subprocess
import sys

from bot.client import DRAWING


def test_a_start_imports_nothing_that_draws_and_no_driver_of_postgresql() -> None:
    modules = "bot.__main__, bot.jobs.worker, bot.operators.check"
    code = f"import sys, {modules}; print(*{{'asyncpg', *{DRAWING}}}.intersection(sys.modules))"
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120
    )
    assert ended.stdout == "\n"
