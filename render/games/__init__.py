"""One module or package per game, which registers its picture and its text. A new one is found by itself."""

from importlib import import_module
from pkgutil import iter_modules

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")
