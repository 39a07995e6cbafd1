"""Everything that a bot imports on its way up."""

from importlib import import_module
from pkgutil import iter_modules

import bot.__main__
import bot.cogs

for found in iter_modules(bot.cogs.__path__, "bot.cogs."):
    import_module(found.name)
