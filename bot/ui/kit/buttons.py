"""What buttons and selects that outlive the process have in common: all they know stands in their custom id."""

import re
from typing import Any, ClassVar, Generic, Self, TypeVar

import discord
from discord import ui

Inner = TypeVar("Inner", bound=ui.Item[Any])
Interaction = discord.Interaction[Any]
Found = re.Match[str]


class Kept(ui.DynamicItem[Inner], Generic[Inner], template="(?!)"):
    """A button or select that works after a restart.

    The groups of its `template` are the arguments of its constructor: numbers, but for those named in `words`. Every
    subclass is known to the client by itself.
    """

    kinds: ClassVar[list[type["Kept[Any]"]]] = []
    words: ClassVar[frozenset[str]] = frozenset()

    def __init_subclass__(cls, *, template: str) -> None:
        super().__init_subclass__(template=template)
        Kept.kinds.append(cls)

    @classmethod
    def known(cls, custom_id: str) -> bool:
        """Whether any kind answers to this custom id."""
        return any(kind.__discord_ui_compiled_template__.fullmatch(custom_id) for kind in cls.kinds)

    @classmethod
    async def from_custom_id(cls, interaction: Interaction, item: ui.Item[Any], found: Found) -> Self:
        known: dict[str, Any] = {
            name: text if name in cls.words else int(text) for name, text in found.groupdict().items()
        }
        return cls(**known)
