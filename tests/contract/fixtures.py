"""The contract as pytest fixtures: a test takes `contract` and passes it to its Sandbox as the observer."""

from collections.abc import Iterator

import pytest

from tests.contract.checker import Contract
from tests.contract.description import Description


@pytest.fixture(scope="session")
def description() -> Description:
    """Return Discord's API description: the file that DISCORD_OPENAPI names, or else the distilled one."""
    return Description.load()


@pytest.fixture
def contract(description: Description) -> Iterator[Contract]:
    """Check all exchanges of a test. A violation, or no exchange at all, fails the test at its end."""
    yield from checked(Contract(description))


@pytest.fixture
def responses(description: Description) -> Iterator[Contract]:
    """Check the responses and events of a test whose requests may be wrong on purpose."""
    observer = Contract(description, requests=False)
    observer.observes = True
    yield from checked(observer)


def checked(observer: Contract) -> Iterator[Contract]:
    """Yield the observer; then fail the test for violations, or if the observer has seen nothing."""
    yield observer
    if observer.violations:
        pytest.fail(f"Discord's API contract was broken:\n{observer.report()}", pytrace=False)
    if not (observer.seen or observer.observes):
        pytest.fail("The contract has seen no exchange: pass it as Sandbox(observe=contract).", pytrace=False)
