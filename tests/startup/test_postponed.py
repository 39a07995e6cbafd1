"""A start imports no library that it does not need, and each is there when it is used."""

import subprocess
import sys

import pytest


def said(code: str) -> list[str]:
    """The words that a fresh interpreter prints."""
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120
    ).stdout.split()


def test_a_start_imports_nothing_that_draws_and_no_driver_of_postgresql() -> None:
    inner = (
        "'numpy.version' in sys.modules, 'shapely.lib' in sys.modules, 'asyncpg.connection' in sys.modules"
    )
    assert said(f"import sys, bot.__main__; print({inner})") == ["False"] * 3
    drawing = "from bot.startup.postponed import import_what_draws; import_what_draws()"
    assert said(f"import sys, bot.__main__; {drawing}; print({inner})") == ["True", "True", "False"]


@pytest.mark.parametrize(
    "used",
    [
        "import numpy; print(numpy.arange(3).sum())",
        "import numpy.linalg; print(int(numpy.linalg.norm([3])))",
        "from shapely import Point; print(int(Point(3, 0).x))",
        "import shapely.geometry.base as base; print(3 * isinstance(base.shapely.Point(3, 0), base.BaseGeometry))",
    ],
)
def test_a_postponed_library_is_used_like_any_other(used: str) -> None:
    assert said(f"from bot.startup.postponed import postpone_imports; postpone_imports()\n{used}") == ["3"]


def test_threads_may_be_the_first_that_use_a_library_at_the_same_time() -> None:
    code = """
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from bot.startup.postponed import postpone_imports
postpone_imports()
import shapely
waiting = Barrier(4)
def use(number):
    waiting.wait()
    return int(shapely.Point(number, 0).x)
with ThreadPoolExecutor(4) as pool:
    print(*pool.map(use, range(4)))
"""
    assert said(code) == ["0", "1", "2", "3"]
