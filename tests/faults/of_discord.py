"""Faults of Discord's REST API: the calls, what members and operators see, and faults of all calls at once."""

from collections.abc import Collection, Sequence

from bot.sandbox import Fault
from tests.faults.catalogue import Injection, PlayedFault, Seen
from tests.faults.scene import Scene

CALLBACK = ("POST", "/interactions/{interaction_id}/{interaction_token}/callback")
ANSWER = ("PATCH", "/webhooks/{webhook_id}/{webhook_token}/messages/@original")
BOARD = ("POST", "/channels/{channel_id}/messages")
OLD_BOARD = ("PATCH", "/channels/{channel_id}/messages/{message_id}")
REMOVAL = ("DELETE", OLD_BOARD[1])

FAILED_AND_SHOWN = "Discord says that the press failed; the move counts and is shown"
FAILED_AND_NOT_DONE = "Discord says that it failed; nothing was done, and the next press counts"
LATER = "the move is shown, if later"
NO_MENTION = "the move is shown, and nobody is mentioned"
GOES_LATER = "the old board is deleted later"
SHRINKS = "the old board becomes a line that links to the new one"
STAYS = "the old board stays as it was; its buttons tell that it is old, and a press on them deletes it"
OLD = "has moved on; play on its newest board"
NOT_ACCEPTED = "Discord did not accept all that I sent. What you did counts if it was legal"

LIMITED = Seen("requests: rate limited")
REFUSED = Seen("requests: refused")
BROKEN = Seen("requests: failed")
CUT = Seen("requests: unreachable")
"""Counters of one request."""
LATE = Seen("interactions: late")
FAILED = Seen("interactions: failed")
WAITS = Seen("We are being rate limited.")
WEBHOOK_WAITS = Seen("Webhook ID")
LOST = Seen("interaction.lost")
MAYBE_LOST = Seen("acknowledgement.possibly_lost")
REFUSED_CALL = Seen("request.refused")
RETRIED = Seen("item.failed", 0)
"""The round that begins before the fault is healed; the item waits longer then."""
NOT_MENTIONED = Seen("mention.refused")
NOT_DELIVERED = Seen("answer.not_delivered")


def pressed(
    call: tuple[str, str], fault: Fault, outcome: str = "update", seconds: float = 0.1, times: int = 1
) -> Injection:
    """A move by its button under the fault, whose outcome Discord tells so, and one after it."""

    async def inject(scene: Scene) -> None:
        scene.local.faults.plan(*call, fault, seconds=seconds, times=times)
        await scene.pressed(outcome)
        await scene.shown()
        await scene.struck()
        await scene.moved()

    return inject


def written(
    call: tuple[str, str], fault: Fault, told: str = "", seconds: float = 0.1, *, below: bool = False
) -> Injection:
    """A move by a command under the fault, of which its player is told so, and one by a button.

    With `below`, the board is posted again for the move, since many messages stand below it.
    """

    async def inject(scene: Scene) -> None:
        if below:
            await scene.bury()
        scene.local.faults.plan(*call, fault, seconds=seconds)
        await scene.write()
        if told:
            await scene.told(told)
        await scene.shown()
        await scene.struck()
        await scene.moved()

    return inject


def of(
    call: str,
    members: str,
    *rows: tuple[str, Injection, Sequence[Seen], Sequence[Seen]],
    sampled: Collection[str] = (),
) -> list[PlayedFault]:
    """Return the faults of one call. A row is how the call fails, the injection, log lines and counters."""
    return [
        PlayedFault(f"{call}: {how}", inject, members, tuple(lines), tuple(counted), how in sampled)
        for how, inject, lines, counted in rows
    ]


async def _all_slow(scene: Scene) -> None:
    """Nobody notices a slow network."""
    scene.local.faults.delay = 0.05
    try:
        for _ in range(3):
            await scene.moved()
        await scene.write()
        await scene.shown()
    finally:
        scene.local.faults.clear()


async def _all_very_slow(scene: Scene) -> None:
    """Discord takes no answer after three seconds, so nothing is done; what comes afterwards counts."""
    scene.local.faults.delay = 20.0
    try:
        await scene.write("failed")
        await scene.bot.says("interaction.lost")
    finally:
        scene.local.faults.clear()
    await scene.moved()
    await scene.moved()


FAULTS = (
    PlayedFault("everything: 50 ms late", _all_slow, "nothing"),
    PlayedFault(
        "everything: 20 s late",
        _all_very_slow,
        FAILED_AND_NOT_DONE,
        (LOST,),
        (REFUSED, LATE),
        once=True,
    ),
)
