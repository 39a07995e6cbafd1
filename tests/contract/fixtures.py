"""The contract as pytest fixtures: a test takes `contract` and passes it to its Sandbox as the observer."""

from collections.abc import Iterator

import pytest

from tests.contract.checker import Contract
from tests.contract.description import Description


@pytest.fixture(scope="session")
def description() -> Description:
    """Discord's API description: the distilled one, or the full one that DISCORD_OPENAPI names."""
    return Description.load()


@pytest.fixture
def contract(description: Description) -> Iterator[Contract]:
    """The observer for `Sandbox(observe=contract)`. A violation, or no exchange at all, fails the test at its end."""
    observer = Contract(description)
    yield observer
    if observer.violations:
        pytest.fail(f"Discord's API contract was broken:\n{observer.report()}", pytrace=False)
    if not (observer.seen or observer.observes):
        pytest.fail("The contract has seen no exchange: pass it as Sandbox(observe=contract).", pytrace=False)
