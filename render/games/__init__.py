"""One module per game, each registering its picture and its text. A new file here is all a new game needs."""

from importlib import import_module
from pkgutil import iter_modules

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")
