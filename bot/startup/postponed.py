"""Libraries that a start does not need: they are imported when something of them is first used, those that draw at the
latest when the bot is connected with Discord."""

import sys
from importlib import import_module
from importlib.util import find_spec
from threading import RLock
from types import ModuleType
from typing import Any

DRAWING = ("numpy", "shapely")
"""Libraries that draw boards."""
OTHERS = ("asyncpg",)
"""Libraries that only PostgreSQL needs."""


class _Postponed(ModuleType):
    """Stands for a library until something of it is used."""

    _lock = RLock()

    def __getattr__(self, name: str) -> Any:
        with self._lock:
            if sys.modules.get(self.__name__) is self:
                del sys.modules[self.__name__]
                vars(self).update(vars(import_module(self.__name__)))
        try:
            return vars(self)[name]
        except KeyError:
            # The library may make some of its parts only when they are asked for.
            return getattr(sys.modules[self.__name__], name)


def postpone_imports() -> None:
    """Let statements that import these libraries return at once. Called before everything else is imported."""
    for name in (*DRAWING, *OTHERS):
        if name not in sys.modules and find_spec(name) is not None:
            sys.modules[name] = _Postponed(name)


def import_what_draws() -> None:
    """Import what draws boards, unless that is done."""
    for name in DRAWING:
        if isinstance(sys.modules.get(name), _Postponed):
            sys.modules[name].__getattr__("__version__")
