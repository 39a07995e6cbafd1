"""Members who use anything that they see: commands, buttons, choices and forms."""

import re
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.contract.player import Player
from tests.e2e.messages import components

Json = dict[str, Any]
COMMANDS: dict[str, tuple[Json, ...]] = {
    "games": ({},), "help": ({},), "board": ({}, {"as_text": True}), "leaderboard": ({},),
    "profile": ({},), "preferences": ({},), "settings": ({},),
    "replay": ({}, {"move": 1}), "review": ({},), "puzzle": ({},),
    "rules": ({"game": "palindromes"},), "learn": ({"game": "alaric"},),
    "cup": ({"game": "skull", "size": "quick", "players": 2}, {"game": "alaric", "size": "quick"}),
    "challenge": ({"game": "alaric", "size": "quick", "clock": "3d"},),
    "play": ({"game": "alaric", "size": "quick", "level": 1},),
}  # fmt: skip
"""Commands that the members use, with options."""
LEFT_ALONE = re.compile(
    "privacy:(?:delete|really)|prefer:(?:listed|away|confirm|conditional)|setting:(?:games|threads|channels)"
)
"""Buttons and menus that end the evening for a member, that list who is not to be listed, that decide where games are
played, or that take moves in another way than the evening presses them."""


@dataclass
class Anything:
    """Members who do what chance says; what the bot does not answer in time is passed over."""

    people: list[list[Player]]
    """In groups, which are drawn equally often."""
    chance: Random
    done: Counter[str] = field(default_factory=Counter)
    """The number of uses by command, and by the first word of the custom id."""

    async def once(self) -> None:
        """One member does one thing that they see: a command, a button, a choice or a form."""
        player = self.chance.choice(self.chance.choice(self.people))
        seen = await player.messages()
        parts = [(message, part) for message in seen[-12:] for part in components(message) if _usable(part)]
        with suppress(AssertionError, TimeoutError):
            if parts and self.chance.random() < 0.65:
                message, part = self.chance.choice(parts)
                await self._use(player, message, part)
            else:
                name = self.chance.choice(list(COMMANDS))
                self.done[f"/{name}"] += 1
                answer = await player.command(name, **self.chance.choice(COMMANDS[name]))
                await self._form(player, answer)

    async def _use(self, player: Player, message: Json, part: Json) -> None:
        self.done[part["custom_id"].partition(":")[0]] += 1
        if part["type"] == 2:
            await self._form(player, await player.press(message, part["custom_id"]))
        elif part["type"] == 3:
            value = self.chance.choice(part["options"])["value"]
            await self._form(player, await player.choose(message, part["custom_id"], value))

    async def _form(self, player: Player, answer: Json) -> None:
        if answer["outcome"] == "modal":
            fields: Json = {}
            for label in answer["modal"]["components"]:
                if (part := label.get("component")) is None:
                    continue  # a text
                texts = ["1", "c4", "a1-b1", "done", "RBR", "24h"]
                values = [option["value"] for option in part.get("options", [])]
                one = self.chance.choice(values or texts)
                fields[part["custom_id"]] = [one] if part["type"] in (3, 22) else one
            await player.submit(answer, **fields)


def _usable(part: Json) -> bool:
    return (
        part["type"] in (2, 3)
        and not part.get("disabled")
        and LEFT_ALONE.match(part.get("custom_id", "privacy:delete")) is None
    )
