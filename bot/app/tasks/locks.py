"""Locks by key, so that what concerns one match or one challenge is done by one task at a time."""

import asyncio
from collections.abc import Hashable
from typing import Generic, TypeVar
from weakref import WeakValueDictionary

Key = TypeVar("Key", bound=Hashable)


class Locks(Generic[Key]):
    """A lock for each key, such as the id of a match. It is forgotten once no task holds it or waits for it."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[Key, asyncio.Lock] = WeakValueDictionary()

    def of(self, key: Key) -> asyncio.Lock:
        """Return the lock of a key."""
        return self._locks.setdefault(key, asyncio.Lock())

    def __len__(self) -> int:
        return len(self._locks)
