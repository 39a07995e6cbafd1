"""SqlStore implements db.api.store.Store: same methods, same parameters and types."""

import inspect
import typing

import pytest

from db.api.store import Store
from db.store import SqlStore

METHODS = [name for name, _ in inspect.getmembers(Store, inspect.isfunction) if not name.startswith("_")]


def test_there_is_something_to_compare() -> None:
    assert {"accept", "append", "load"} <= set(METHODS)


@pytest.mark.parametrize("name", METHODS)
def test_the_store_has_every_method_of_the_protocol(name: str) -> None:
    wanted, given = getattr(Store, name), getattr(SqlStore, name)
    assert inspect.iscoroutinefunction(given) == inspect.iscoroutinefunction(wanted)
    assert inspect.signature(given) == inspect.signature(wanted)
    assert typing.get_type_hints(given) == typing.get_type_hints(wanted)
