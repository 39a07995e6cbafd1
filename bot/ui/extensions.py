"""The modules that add slash commands: `commands` of every package in bot.ui that has one."""

from pkgutil import iter_modules, walk_packages

import bot.ui


def extensions() -> list[str]:
    """Return the full names of the modules that discord.py loads as extensions."""
    packages = [found.name for found in iter_modules(bot.ui.__path__, "bot.ui.") if found.ispkg]
    modules = [found.name for found in walk_packages(bot.ui.__path__, "bot.ui.")]
    return [name for package in packages if (name := f"{package}.commands") in modules]
