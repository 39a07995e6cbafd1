"""Faults of the calls that post a new board and edit the old one."""

from bot.sandbox import Fault
from tests.faults.catalogue import Injection, PlayedFault, Seen
from tests.faults.of_discord import (
    BOARD,
    BROKEN,
    CUT,
    FAILED,
    LATER,
    LIMITED,
    NOT_ACCEPTED,
    NOT_SHOWN,
    OLD,
    OLD_BOARD,
    REFUSED,
    REFUSED_CALL,
    SHRINKS_LATER,
    STAYS,
    WAITS,
    of,
    pressed,
    written,
)
from tests.faults.scene import Scene


def _left_live(fault: Fault) -> Injection:
    """An old board cannot be edited: who presses it is told, and then it shrinks."""

    async def inject(scene: Scene) -> None:
        scene.local.faults.plan(*OLD_BOARD, fault)
        old = scene.board
        await scene.write()
        await scene.shown()
        await scene.struck()
        await scene.note()
        await scene.mover.press(old.message, old.moves[scene.next_move])
        await scene.told(OLD)
        await scene.moved()

    return inject


async def _board_very_slow(scene: Scene) -> None:
    """While a board is on its way for 20 s, the next player moves by a command: both moves are shown."""
    scene.local.faults.plan(*BOARD, Fault.SLOW, seconds=20.0)
    await scene.pressed()
    scene.played.append(scene.next_move)
    waiter = scene.grace if scene.mover is scene.ada else scene.ada
    answer = await waiter.command("move", move=scene.next_move, game=scene.board.match)
    assert answer["outcome"] == "message"
    await scene.shown(2)


async def _no_boards(scene: Scene) -> None:
    """No board can be posted for half a minute; the game goes on by commands, and is shown afterwards."""
    scene.local.faults.plan(*BOARD, Fault.UNAVAILABLE, times=10_000)
    await scene.write()
    await scene.told(NOT_ACCEPTED)
    await scene.stays_unseen(30)
    scene.local.faults.clear()
    await scene.shown()
    await scene.moved()


FAULTS = (
    *of(
        "new board",
        LATER,
        ("429", pressed(BOARD, Fault.RATE_LIMITED), [WAITS], [LIMITED], False),
        ("429, scope shared", pressed(BOARD, Fault.RATE_LIMITED_SHARED), [WAITS], [LIMITED], False),
        (
            "429 of the global limit",
            pressed(BOARD, Fault.RATE_LIMITED_GLOBALLY),
            [WAITS, Seen("Global rate limit has been hit.")],
            [LIMITED],
            False,
        ),
        ("502", pressed(BOARD, Fault.BAD_GATEWAY), [], [BROKEN], False),
        ("answered 2 s late", pressed(BOARD, Fault.SLOW, seconds=2.0), [], [], True),
    ),
    *of(
        "new board",
        f"“{NOT_ACCEPTED} ...”; the move is shown later",
        *(
            (how, written(BOARD, fault, NOT_ACCEPTED), [REFUSED_CALL, NOT_SHOWN], [counted, FAILED], False)
            for how, fault, counted in (
                ("429 without `Via`", Fault.BANNED, LIMITED),
                ("429 with a page of HTML", Fault.BANNED_BY_PAGE, LIMITED),
                ("401", Fault.UNAUTHORIZED, REFUSED),
                ("503", Fault.UNAVAILABLE, BROKEN),
                ("connection reset", Fault.RESET, CUT),
                ("done, but the reply is lost", Fault.LOST, CUT),
            )
        ),
    ),
    PlayedFault(
        "new board: 503 for 30 s",
        _no_boards,
        f"“{NOT_ACCEPTED} ...”; the moves are shown later",
        (REFUSED_CALL, Seen("board not shown yet")),
        (Seen("requests: failed", 2, 40), FAILED),
        long=True,
        once=True,
    ),
    PlayedFault("new board: 20 s late", _board_very_slow, LATER, long=True),
    *of(
        "old board",
        SHRINKS_LATER,
        ("429", written(OLD_BOARD, Fault.RATE_LIMITED), [WAITS], [LIMITED], False),
        ("503", written(OLD_BOARD, Fault.UNAVAILABLE), [], [BROKEN], False),
        ("connection reset", written(OLD_BOARD, Fault.RESET), [], [CUT], False),
        ("done, but the reply is lost", written(OLD_BOARD, Fault.LOST), [], [CUT], False),
    ),
    *of(
        "old board",
        STAYS,
        ("401", _left_live(Fault.UNAUTHORIZED), [], [REFUSED], False),
        ("403", _left_live(Fault.FORBIDDEN), [], [REFUSED], False),
    ),
)
