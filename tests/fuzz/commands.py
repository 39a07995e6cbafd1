"""The command layer as a target: a real bot gets interactions of any kind over the wire, and answers each."""

import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from discord import AppCommandType, Object

from bot.sandbox.rest.wire import Exchange
from bot.sandbox.world.people import open_among, open_with_bot
from bot.sandbox.world.records import COMPONENT, MODAL_SUBMIT, Message
from tests.e2e.play import ask, challenge
from tests.fuzz.campaign import Verdict
from tests.fuzz.interactions import BUTTON, STRING_SELECT, Press, Use, World, press, submission, use
from tests.fuzz.records import Imports
from tests.fuzz.wire import CHANNELS, Told, Wire, wired
from tests.rules.hostile import NASTY

COMPONENTS_V2 = 1 << 15
REMEMBERED = 3000
"""The most custom ids of posted messages that are used again."""
FORGIVEN = 0.05
"""The share of made inputs before which all bans are lifted."""
LONGEST = 300
"""Characters of a refusal; what a member typed is quoted in part."""
MATCHES = ("alaric", "palindromes", "skull", "maze", "polygons")

Given = Press | Use


class Commands:
    """A server, direct messages and a group, with games, challenges and proposals to refer to."""

    name = "commands"
    repeatable = False

    def __init__(self, wire: Wire, seed: object, channels: dict[str, Any]) -> None:
        self._wire, self._channels = wire, channels
        self.bot = wire.bot
        self.admin_server = str(wire.local.world.guild["id"])
        self.people = [wire.ada.id, wire.grace.id, wire.emmy.id]
        self._posted: list[str] = ["accept:1"]
        self._menus: dict[str, list[Any]] = {}
        self._plain: dict[str, bool] = dict.fromkeys(("really-resign", "privacy", "lay", "seal"), True)
        """True for the kinds of buttons that stand in messages with plain text."""
        self._imports = Imports(seed)
        self._forgives = False
        self._chance = Random(f"{seed} forms")
        self._world = World(
            [wire.local.world.users[one] for one in self.people],
            tuple(range(8)),
            self._posted,
            list(_commands(wire)),
            tuple(channels),
            self._menus,
            self.admin_server,
        )

    def person(self, who: int) -> Any:
        """Return a member as Discord sends them along."""
        return self._world.people[who]

    def make(self, chance: Random) -> Given:
        self._forgives = chance.random() < FORGIVEN
        if chance.random() < 0.55:
            return press(self._world, chance)
        used = use(self._world, chance)
        if used.files:
            files = {id_: (name, self._imports.make(chance).data) for id_, (name, _) in used.files.items()}
            return Use(used.who, used.where, used.kind, used.data, files)
        return used

    async def judge(self, given: Given) -> Verdict:
        wire = self._wire
        if self._forgives:
            await self._lift_bans()
        for _ in range(3):
            version, before = wire.version(), wire.rows()
            wire.errors.lines.clear()
            told = await self._send(given)
            verdict = self._answer(told)
            self._remember(told)
            if verdict.accepted or wire.version() == version:
                break
            # What changed may be of a computer player's or of a background task: then it does not change again.
            if wire.rows() == before:
                break
        else:
            raise AssertionError(f"refused, and something was stored: {verdict.sentence}")
        if told.interaction.modal is not None:
            await self._submit(told)
        return verdict

    async def _lift_bans(self) -> None:
        """Lift what the owner has done to others, who would be refused whatever they use from then on."""
        administration = self._wire.bot.services.administration
        for ban in await administration.bans():
            await administration.unban(int(self.people[0]), ban.id)

    def _answer(self, told: Told) -> Verdict:
        """Check what the member got."""
        wire, opened = self._wire, told.interaction
        assert not wire.errors.lines, "\n".join(wire.errors.lines)
        assert opened.answered is not None, "no answer"
        assert not any(one.loading for one in told.messages), "an answer that never comes"
        for message in told.messages:
            check_message(message)
        for request in told.requests:
            check_mentions(request)
        if opened.choices is not None:
            return Verdict(bool(opened.choices), "Choices", "none")
        sentence = told.refusal()
        if sentence is None:
            assert not any("went wrong on my side" in said for one in told.messages for said in one.texts())
            return Verdict(True)
        # Where the bot is no member, boards that waited for an interaction are posted by this one.
        assert not told.pinged or opened.channel_id == self._channels["group"]["id"]
        check_refusal(sentence)
        return Verdict(False, "Refused", sentence)

    async def _send(self, given: Given) -> Told:
        wire, who = self._wire, self.people[given.who]
        channel = self._channels[given.where]
        if isinstance(given, Use):
            world = wire.local.world
            for id_, (name, content) in given.files.items():
                url = f"{world.address}/ephemeral-attachments/{world.application['id']}/{id_}/record.json"
                made = {"id": id_, "filename": name[:255], "size": len(content), "url": url, "proxy_url": url}
                world.put_upload(who, made, content)
                given.data.setdefault("resolved", {}).setdefault("attachments", {})[id_] = made
            return await wire.interact(given.kind, channel, who, given.data)
        source = self._message(given)
        kind = STRING_SELECT if given.menu else BUTTON
        data: dict[str, Any] = {"custom_id": given.custom_id, "component_type": kind, "id": 1}
        if given.menu:
            data["values"] = list(given.values)
        try:
            return await wire.interact(COMPONENT, channel, who, data, source=source.id)
        finally:
            if source.id in wire.local.world.messages[channel["id"]]:
                wire.local.world.remove_message(source)

    def _message(self, given: Press) -> Message:
        """A message of the bot's with the component that is used, or with another one."""
        world, messages = self._wire.local.world, self._wire.local.services.messages
        custom_id = given.custom_id if given.placed else "games:0:back"
        part: dict[str, Any] = {"type": BUTTON, "style": 1, "label": "x", "custom_id": custom_id}
        if given.menu:
            options = self._menus.get(custom_id) or [{"label": "x", "value": "none"}]
            part = {"type": STRING_SELECT, "custom_id": custom_id, "options": options}
        row = {"type": 1, "components": [part]}
        body: dict[str, Any] = {"flags": COMPONENTS_V2, "components": [{"type": 10, "content": "x"}, row]}
        if self._plain.get(custom_id.partition(":")[0]):
            body = {"content": "x", "components": [row]}
        channel = self._channels[given.where]
        return messages.send(channel, world.bot, messages.draft_reader(channel["id"]).read(body))

    async def _submit(self, told: Told) -> None:
        """Send the form that was opened, in a hostile way."""
        opened = told.interaction
        assert opened.modal is not None
        self._wire.errors.lines.clear()
        data = submission(opened.modal, self._world, self._chance)
        channel = self._wire.local.world.channels[opened.channel_id]
        sent = await self._wire.interact(
            MODAL_SUBMIT, channel, opened.user_id, data, source=opened.source, cause=opened.id
        )
        try:
            self._answer(sent)
        except AssertionError as error:
            error.add_note(f"The form was {opened.modal}, and what was sent {data}.")
            raise
        self._remember(sent)

    def _remember(self, told: Told) -> None:
        for message in told.messages:
            for part in _parts(message.body["components"]):
                if "custom_id" in part and len(self._posted) < REMEMBERED:
                    self._posted.append(part["custom_id"])
                    self._plain.setdefault(part["custom_id"].partition(":")[0], bool(message.body["content"]))
                    if part.get("options"):
                        # A menu that is used here allows one choice, so it cannot show several as chosen.
                        options = [{**it, "default": False} for it in part["options"]]
                        self._menus[part["custom_id"]] = options


def check_refusal(sentence: str) -> None:
    """A refusal is one sentence of a few words, in which what somebody typed is quoted in backquotes."""
    assert len(sentence) < LONGEST, sentence
    assert sentence.endswith((".", "!", "?")), sentence
    own = " ".join(sentence.split("`")[::2])
    assert sentence.isprintable(), sentence
    assert not re.search(r"[.?!] [A-Z<]", own), f"Two sentences: {sentence}"
    assert "@everyone" not in own, sentence
    assert "@here" not in own, sentence


def check_mentions(request: Exchange) -> None:
    """Each message that is sent or changed says whom it may ping, and that is members by their ids at most."""
    body: Any = request.request_json
    if isinstance(body, dict) and "type" in body and isinstance(body.get("data"), dict):
        body = body["data"]
    if isinstance(body, dict) and (body.get("content") or body.get("components")) and "title" not in body:
        allowed = body.get("allowed_mentions")
        assert allowed is not None, f"no allowed_mentions: {str(body)[:300]}"
        assert not set(allowed.get("parse", [])), allowed
        assert not allowed.get("roles"), allowed


def check_message(message: Message) -> None:
    """No message of the bot's pings everybody, and its texts are within Discord's limits."""
    assert not message.body.get("mention_everyone")
    assert not message.body.get("mention_roles")
    assert sum(map(len, message.texts())) <= 4000


def _parts(components: list[Any]) -> Iterator[Any]:
    for part in components:
        yield part
        yield from _parts(part.get("components", []))


def _commands(wire: Wire) -> Iterator[Any]:
    yield from wire.bot.tree.get_commands(type=AppCommandType.chat_input)
    yield from wire.bot.tree.get_commands(type=AppCommandType.user)
    yield from wire.bot.tree.get_commands(type=AppCommandType.message)
    admin_server = Object(int(wire.local.world.guild["id"]))
    yield from wire.bot.tree.get_commands(guild=admin_server, type=AppCommandType.chat_input)


@asynccontextmanager
async def commands(seed: object) -> AsyncIterator[Commands]:
    """A bot with some running games and open challenges."""
    with TemporaryDirectory() as folder:
        async with wired(Path(folder)) as wire:
            world = wire.local.world
            for game in MATCHES:
                await challenge(wire.ada, wire.grace, game, "quick")
            await ask(wire.grace, [wire.emmy], "alaric")
            for person in (wire.ada, wire.grace):
                await person.post("install")
            group = [wire.ada.id, wire.grace.id, wire.emmy.id]
            channels = {
                "server": wire.local.channel(CHANNELS[0]),
                "lounge": wire.local.channel(CHANNELS[1]),
                "direct": open_with_bot(world, wire.ada.id),
                "group": open_among(world, group, NASTY[30][:50]),
            }
            yield Commands(wire, seed, channels)
