"""Faults of the calls that edit a board, post it again, mention the next player, and delete the old board."""

from collections.abc import Collection
from dataclasses import replace

from bot.sandbox import Fault
from tests.faults.catalogue import PlayedFault, Seen
from tests.faults.of_discord import (
    BOARD,
    BROKEN,
    CUT,
    FAILED,
    GOES_LATER,
    LATER,
    LIMITED,
    NO_MENTION,
    NOT_ACCEPTED,
    NOT_MENTIONED,
    OLD,
    OLD_BOARD,
    REFUSED,
    REFUSED_CALL,
    REMOVAL,
    RETRIED,
    SHRINKS,
    STAYS,
    WAITS,
    of,
    written,
)
from tests.faults.scene import Scene


async def _left_live(scene: Scene) -> None:
    """An old board cannot be deleted: who presses it is told that it is old, and then it is deleted."""
    old = scene.board
    await scene.bury()
    scene.local.faults.plan(*REMOVAL, Fault.UNAUTHORIZED)
    await scene.write()
    await scene.shown()
    await scene.struck()
    await scene.note()
    await scene.mover.press(old.message, old.moves[scene.next_move])
    await scene.told(OLD)
    await scene.moved()


async def _reduced(scene: Scene) -> None:
    """An old board may not be deleted, but edited."""
    old = scene.board
    await scene.bury()
    scene.local.faults.plan(*REMOVAL, Fault.FORBIDDEN)
    await scene.write()
    await scene.shown()
    await scene.struck()
    await scene.says_only(old.message, "is below")
    await scene.moved()


async def _board_very_slow(scene: Scene) -> None:
    """While a board is on its way for 20 s, the next player moves by a command: both moves are shown."""
    await scene.bury()
    scene.local.faults.plan(*BOARD, Fault.SLOW, seconds=20.0)
    await scene.pressed()
    scene.played.append(scene.next_move)
    waiter = scene.grace if scene.mover is scene.ada else scene.ada
    answer = await waiter.command("move", move=scene.next_move, number=scene.board.match)
    assert answer["outcome"] == "message"
    await scene.shown(2)


async def _no_boards(scene: Scene) -> None:
    """No board can be posted or edited for half a minute; the game goes on by commands, and is shown afterwards."""
    for call in (BOARD, OLD_BOARD):
        scene.local.faults.plan(*call, Fault.UNAVAILABLE, times=10_000)
    await scene.write()
    await scene.told(NOT_ACCEPTED)
    await scene.stays_unseen(30)
    scene.local.faults.clear()
    await scene.shown()
    await scene.moved()


MAYBE_CUT = Seen("requests: unreachable", 0)
TOLD = f"“{NOT_ACCEPTED} ...”; the move is shown later"
TOLD_OF_MENTION = f"“{NOT_ACCEPTED} ...”; the move is shown at once, and the mention comes later"
FAILURES = (
    ("429 without `Via`", Fault.BANNED, LIMITED),
    ("429 with a page of HTML", Fault.BANNED_BY_PAGE, LIMITED),
    ("429 without `retry_after`", Fault.RATE_LIMITED_UNTIMED, LIMITED),
    ("429 for an hour", Fault.RATE_LIMITED, LIMITED),
    ("503", Fault.UNAVAILABLE, BROKEN),
    ("connection reset", Fault.RESET, CUT),
    ("done, but the reply is lost", Fault.LOST, CUT),
)
"""Failures after which a call is made again later, and their counters."""


def _retried(
    call: str, members: str, of_call: tuple[str, str], *, sampled: Collection[str] = (), below: bool = False
) -> list[PlayedFault]:
    """The faults of a call after which a move is shown, or a player mentioned, by a later call."""
    return of(
        call,
        members,
        *(
            (
                how,
                written(of_call, fault, NOT_ACCEPTED, seconds=3600.0, below=below),
                [REFUSED_CALL, RETRIED, replace(WAITS, least=0)],
                [counted, FAILED],
            )
            for how, fault, counted in FAILURES
        ),
        sampled=sampled,
    )


def _delayed(
    call: str, of_call: tuple[str, str], *, sampled: Collection[str] = (), below: bool = False
) -> list[PlayedFault]:
    """The faults of a call that discord.py repeats by itself."""
    return of(
        call,
        LATER,
        ("429", written(of_call, Fault.RATE_LIMITED, below=below), [WAITS], [LIMITED]),
        (
            "429, scope shared",
            written(of_call, Fault.RATE_LIMITED_SHARED, below=below),
            [WAITS],
            [LIMITED],
        ),
        (
            "429 of the global limit",
            written(of_call, Fault.RATE_LIMITED_GLOBALLY, below=below),
            [WAITS, Seen("Global rate limit has been hit.")],
            [LIMITED],
        ),
        ("502", written(of_call, Fault.BAD_GATEWAY, below=below), [], [BROKEN]),
        ("answered 2 s late", written(of_call, Fault.SLOW, seconds=2.0, below=below), [], []),
        sampled=sampled,
    )


FAULTS = (
    *_delayed("new board", BOARD, below=True),
    *_retried("new board", TOLD, BOARD, sampled=("done, but the reply is lost",), below=True),
    *of(
        "new board",
        TOLD,
        (
            "401",
            written(BOARD, Fault.UNAUTHORIZED, NOT_ACCEPTED, below=True),
            [REFUSED_CALL, RETRIED],
            [REFUSED, FAILED],
        ),
    ),
    PlayedFault("new board: 20 s late", _board_very_slow, LATER),
    *_delayed("edited board", OLD_BOARD),
    *of(
        "edited board",
        LATER,
        ("429 of old messages (30046)", written(OLD_BOARD, Fault.RATE_LIMITED_OLD), [WAITS], [LIMITED]),
    ),
    *_retried("edited board", TOLD, OLD_BOARD),
    PlayedFault(
        "new and edited board: 503 for 30 s",
        _no_boards,
        f"“{NOT_ACCEPTED} ...”; the moves are shown later",
        (REFUSED_CALL, Seen("item.failed")),
        (Seen("requests: failed", 2, 40), FAILED),
        once=True,
    ),
    *_retried("mention", TOLD_OF_MENTION, BOARD),
    *of(
        "mention",
        NO_MENTION,
        ("401", written(BOARD, Fault.UNAUTHORIZED), [NOT_MENTIONED], [REFUSED]),
        ("403", written(BOARD, Fault.FORBIDDEN), [NOT_MENTIONED], [REFUSED]),
    ),
    *of(
        "old board",
        GOES_LATER,
        ("429", written(REMOVAL, Fault.RATE_LIMITED, below=True), [WAITS], [LIMITED]),
        ("503", written(REMOVAL, Fault.UNAVAILABLE, below=True), [], [BROKEN]),
        # aiohttp repeats a DELETE by itself if a kept connection ends.
        ("connection reset", written(REMOVAL, Fault.RESET, below=True), [], [MAYBE_CUT]),
        (
            "done, but the reply is lost",
            written(REMOVAL, Fault.LOST, below=True),
            [],
            [MAYBE_CUT, Seen("requests: refused", 0)],
        ),
    ),
    PlayedFault("old board: 403", _reduced, SHRINKS, (), (REFUSED,)),
    PlayedFault("old board: 401", _left_live, STAYS, (), (REFUSED,)),
)
