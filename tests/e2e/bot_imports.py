"""Everything that a bot imports on its way up."""

from importlib import import_module

from bot.ui.extensions import extensions

for module in extensions():
    import_module(module)
