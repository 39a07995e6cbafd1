"""The first message of a new world."""

from bot.sandbox.messages.messages import Messages
from bot.sandbox.world.world import World


def greet(world: World, messages: Messages, text: str) -> None:
    """Post `text` as the bot in the first channel, once in the life of a world."""
    if world.store.get("meta", "welcomed"):
        return
    channel = min(
        (one for one in world.channels.values() if one["type"] == 0), key=lambda one: one["position"]
    )
    draft = messages.draft_reader(channel["id"]).read({"content": text, "allowed_mentions": {"parse": []}})
    with world.store.transaction():
        messages.send(channel, world.bot, draft)
        world.set_meta("welcomed", True)
