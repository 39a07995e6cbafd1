"""One module or package per game, which registers its picture and its text. A new one is found by itself.

It may also have a `MARK` (`render/marks.py`) and the `ICONS` of its achievements (`render/charts/badges.py`).
"""

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType, ModuleType

MODULES: Mapping[str, ModuleType] = MappingProxyType(
    {module.name: import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)}
)
"""By the key of the game."""
