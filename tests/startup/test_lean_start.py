"""A start imports no library that it does not need."""

import subprocess
import sys

import pytest

from bot.client import DRAWING


@pytest.mark.parametrize("module", ["bot.__main__", "bot.jobs.worker", "bot.operators.check"])
def test_a_start_imports_nothing_that_draws_and_no_driver_of_postgresql(module: str) -> None:
    code = f"import sys, {module}; print(*{{'asyncpg', *{DRAWING}}}.intersection(sys.modules))"
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120
    )
    assert ended.stdout == "\n"
