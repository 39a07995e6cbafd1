"""A pytest plugin that makes several workers of pytest-xdist finish sooner, and at the same time.

In a new clone pytest rewrites the assertions of each test module when it is first imported, which takes longer than
everything else that precedes the tests. So each worker first imports a share of the modules of its own. It finds the
others rewritten.

The scheduler `worksteal` gives each worker an equal part of the list of tests, one after the other, and a worker that
has nothing left takes from the end of another one's part. So each part begins with slow tests and ends with short ones.
Slow tests wait for a bot or a browser at times: each worker begins with some, because other workers then use the cores.
Those that need a browser come first of all, where no other worker takes them: each worker would start a browser.
"""

from contextlib import suppress
from importlib import import_module
from itertools import groupby, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from tests.e2e.forked_process import start_fork_server, use_fork_server

ROOT = Path(__file__).parents[1]
_folder = TemporaryDirectory()
FORK_SERVER = Path(_folder.name) / "fork_server"
"""The file with the address of the fork server that all workers use."""


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    node.workerinput["fork_server"] = str(FORK_SERVER)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_node_collection_finished(ids: list[str]) -> None:
    """Start the fork server as soon as it is known that bots are tested, before any test runs."""
    if not FORK_SERVER.exists() and any(test.startswith("tests/e2e/") for test in ids):
        start_fork_server(FORK_SERVER)


def pytest_configure(config: pytest.Config) -> None:
    if worker := getattr(config, "workerinput", None):
        use_fork_server(Path(worker["fork_server"]))


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    workers, number = _workers(session.config)
    if workers == 1:
        return
    modules = sorted(
        module
        for argument in session.config.args
        for module in (session.config.invocation_params.dir / argument.partition("::")[0]).rglob("test_*.py")
    )
    for module in modules[number::workers]:
        # pytest reports what a module raises when it collects the tests of the module.
        with suppress(Exception, pytest.skip.Exception):
            import_module(".".join(module.relative_to(ROOT).with_suffix("").parts))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    workers, _ = _workers(config)
    if workers > 1:
        items[:] = _dealt(items, workers)


def _workers(config: pytest.Config) -> tuple[int, int]:
    """Return how many workers there are and the number of this one, from 0."""
    worker = getattr(config, "workerinput", None)
    return (worker["workercount"], int(worker["workerid"].removeprefix("gw"))) if worker else (1, 0)


def _dealt(items: list[pytest.Item], workers: int) -> list[pytest.Item]:
    """Return the tests in the order in which the parts of all workers begin with slow ones.

    The tests of a module stay together. So do all that need a browser, because each worker starts its own.
    """
    slow = [item for item in items if item.get_closest_marker("slow")]
    short = iter([item for item in items if not item.get_closest_marker("slow")])
    parts: list[list[pytest.Item]] = [[] for _ in range(workers)]
    for number, (_, together) in enumerate(groupby(sorted(slow, key=_needs_no_browser), key=_group)):
        parts[number % workers] += together
    for number, part in enumerate(parts):
        size = len(items) * (number + 1) // workers - len(items) * number // workers
        part += islice(short, max(0, size - len(part)))
    return [item for part in parts for item in part] + list(short)


def _needs_no_browser(item: pytest.Item) -> bool:
    return "windows" not in getattr(item, "fixturenames", ())


def _group(item: pytest.Item) -> str:
    return item.nodeid.partition("::")[0] if _needs_no_browser(item) else "browser"
