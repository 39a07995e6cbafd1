"""A bounded memory of values that are costly to make."""

from threading import Lock
from typing import Generic, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class Cache(Generic[Key, Value]):
    """Keeps the values that were used last, by their keys, up to twice the weight `half`. Threads may share it.

    The values are in two halves: one takes what is new or used again, and when it is full, the other is forgotten.
    """

    def __init__(self, half: int) -> None:
        self._half = half
        self._weight = 0
        self._young: dict[Key, tuple[Value, int]] = {}
        self._old: dict[Key, tuple[Value, int]] = {}
        self._lock = Lock()

    def get(self, key: Key) -> Value | None:
        """Return the value of a key, or None."""
        found = self._young.get(key)
        if found is None:
            found = self._old.get(key)
            if found is None:
                return None
            self.put(key, *found)
        return found[0]

    def put(self, key: Key, value: Value, weight: int = 1) -> Value:
        """Keep a value, and return the one that is kept: another thread's, if it was quicker."""
        with self._lock:
            kept = self._young.get(key)
            if kept is not None:
                return kept[0]
            self._young[key] = value, weight
            self._weight += weight
            if self._weight > self._half:
                self._old, self._young, self._weight = self._young, {}, 0
        return value

    def replace(self, key: Key, value: Value, weight: int = 1) -> None:
        """Keep a value in the place of the one that is kept."""
        with self._lock:
            _, before = self._young.pop(key, (None, 0))
            self._weight -= before
        self.put(key, value, weight)

    def forget(self) -> None:
        """Forget everything."""
        with self._lock:
            self._old, self._young, self._weight = {}, {}, 0
