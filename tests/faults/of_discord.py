"""Faults on Discord's side."""

from collections.abc import Awaitable, Callable

from bot.sandbox import Fault
from bot.sandbox.gateway.gateway import Gateway
from tests.faults.catalogue import PlayedFault
from tests.faults.scene import Scene

CALLBACK = ("POST", "/interactions/{interaction_id}/{interaction_token}/callback")
BOARD = ("POST", "/channels/{channel_id}/messages")
OLD_BOARD = ("PATCH", "/channels/{channel_id}/messages/{message_id}")

CALLS = {
    Fault.RATE_LIMITED: "429 with `Via`",
    Fault.BANNED: "429 without `Via`",
    Fault.BAD_GATEWAY: "502",
    Fault.UNAVAILABLE: "503",
    Fault.SLOW: "answered 2 s late",
    Fault.RESET: "connection reset",
    Fault.LOST: "done, but the reply is lost",
}
MAYBE_FAILED = "Discord may say that the press failed; the move counts and is shown"
LATER = "the move is shown, if later"


def _rest(call: tuple[str, str], fault: Fault) -> Callable[[Scene], Awaitable[None]]:
    async def inject(scene: Scene) -> None:
        scene.local.faults.plan(*call, fault, seconds=2.0 if fault is Fault.SLOW else 0.1)
        # After a command it is a call that shrinks the old board; a press is answered by that.
        await (scene.write() if call == OLD_BOARD else scene.press())
        await scene.shown()
        scene.local.faults.clear()
        await scene.press()
        await scene.shown()

    return inject


def _gateway(fail: Callable[[Gateway], None]) -> Callable[[Scene], Awaitable[None]]:
    async def inject(scene: Scene) -> None:
        scene.bot.forget_log()
        fail(scene.local.services.gateway)
        await scene.bot.says("has successfully RESUMED", "has connected to Gateway")
        await scene.write()
        await scene.shown()

    return inject


def _closing(code: int) -> PlayedFault:
    return PlayedFault(
        f"gateway: closed with {code}",
        _gateway(lambda gateway: gateway.close(code)),
        "nothing",
        "the connection is resumed",
    )


FAULTS = (
    *(
        PlayedFault(f"acknowledgement: {how}", _rest(CALLBACK, fault), MAYBE_FAILED, "one line, if any")
        for fault, how in CALLS.items()
        if fault is not Fault.UNAVAILABLE
    ),
    *(PlayedFault(f"new board: {how}", _rest(BOARD, fault), LATER, "`board not shown yet`, if it was not retried")
      for fault, how in CALLS.items()),
    *(PlayedFault(f"old board: {how}", _rest(OLD_BOARD, fault), "the old board shrinks later", "`message not edited`")
      for fault, how in CALLS.items() if fault in (Fault.UNAVAILABLE, Fault.RESET)),
    *(_closing(code) for code in (1000, 4000, 4007, 4009)),
    PlayedFault("gateway: connection cut", _gateway(lambda it: it.drop()), "nothing", "the connection is resumed"),
    PlayedFault("gateway: op 7", _gateway(lambda it: it.reconnect()), "nothing", "the connection is resumed"),
    PlayedFault(
        "gateway: op 9, resumable",
        _gateway(lambda it: it.invalidate(resumable=True)),
        "nothing",
        "the connection is resumed",
    ),
    PlayedFault(
        "gateway: op 9, not resumable",
        _gateway(lambda it: it.invalidate(resumable=False)),
        "what is pressed within some 5 s fails",
        "another login",
    ),
)  # fmt: skip
