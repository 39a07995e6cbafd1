"""The places where the bot can post, as a member or through an interaction."""

from types import SimpleNamespace
from typing import Any, cast

from bot.ui.posts.clients import Clients
from bot.ui.posts.posting import MOST_MESSAGES, Posting
from db.values.places import Ownership, Place

HERE, DIRECT = Place(1, 2), Place(None, 3)


class Interaction:
    """The part of an interaction that posting needs. `did` lists the calls."""

    def __init__(self, channel: int, *, expired: bool = False) -> None:
        self.channel_id, self.guild_id, self.message = channel, None, None
        self.expired = expired
        self.did: list[str] = []
        self.followup = self

    def is_expired(self) -> bool:
        return self.expired

    async def send(self, **_: Any) -> SimpleNamespace:
        self.did.append("followed up")
        return SimpleNamespace(id=100 + len(self.did))

    async def edit_original_response(self, **_: Any) -> None:
        self.did.append("answered")

    async def edit_message(self, message: int, **_: Any) -> None:
        self.did.append(f"edited {message}")


def posting(ownership: Ownership | None = None) -> Posting:
    clients = SimpleNamespace(get_guild=lambda guild: object() if guild == 1 else None)
    clients.channel = lambda *_: None
    return Posting(cast(Clients, clients), ownership or Ownership())


def test_the_bot_reaches_its_servers_and_no_other_place() -> None:
    found = posting()
    assert [found.reaches(place) for place in (HERE, Place(4, 2), DIRECT)] == [True, False, False]
    assert [found.at(place).open for place in (HERE, Place(4, 2), DIRECT)] == [True, False, False]


async def test_nothing_is_posted_in_a_banned_server_but_answers() -> None:
    ownership = Ownership()
    found = posting(ownership)
    ownership.banned = frozenset({1})
    assert not found.reaches(HERE)
    assert not found.at(HERE).open


async def test_an_interaction_opens_its_own_channel_for_a_few_messages() -> None:
    found, interaction = posting(), Interaction(3)
    with found.through(cast(Any, interaction), thinking=True):
        assert not found.at(Place(None, 5)).open
        for _ in range(MOST_MESSAGES):
            assert found.at(DIRECT).open
            await found.at(DIRECT).send(content="Hello")
        assert not found.at(DIRECT).open
    assert interaction.did == ["answered", *["followed up"] * MOST_MESSAGES]
    with found.through(cast(Any, Interaction(3)), thinking=True):
        assert found.at(DIRECT).open
    assert not found.at(DIRECT).open


async def test_a_message_is_edited_until_its_interaction_expires() -> None:
    found, interaction = posting(), Interaction(3)
    with found.through(cast(Any, interaction), thinking=False):
        message = await found.at(DIRECT).send(content="Hello")
    await found.at(DIRECT).edit(message, cast(Any, None), ())
    await found.at(DIRECT).edit(message + 1, cast(Any, None), ())  # sent through no interaction
    interaction.expired = True
    await found.at(DIRECT).edit(message, cast(Any, None), ())
    assert interaction.did == ["followed up", f"edited {message}"]
