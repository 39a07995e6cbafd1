"""Faults of the calls that answer an interaction."""

from bot.sandbox import Fault
from tests.e2e.messages import once, text_of
from tests.faults.catalogue import Injection, PlayedFault, Seen
from tests.faults.of_discord import (
    ANSWER,
    BROKEN,
    CALLBACK,
    CUT,
    FAILED,
    FAILED_AND_NOT_DONE,
    FAILED_AND_SHOWN,
    LATE,
    LIMITED,
    LOST,
    MAYBE_LOST,
    NOT_DELIVERED,
    REFUSED,
    WEBHOOK_WAITS,
    of,
    pressed,
    written,
)
from tests.faults.scene import Scene

TWICE = Seen("requests: failed", 2, 2)
FIVE_TIMES = Seen("requests: failed", 5, 5)
CUT_TWICE = Seen(CUT.what, 2, 2)


def _not_done(fault: Fault, *, times: int = 1, seconds: float = 0.1) -> Injection:
    """A command whose acknowledgement comes too late does nothing; a press does the same afterwards."""

    async def inject(scene: Scene) -> None:
        scene.local.faults.plan(*CALLBACK, fault, times=times, seconds=seconds)
        await scene.write("failed")
        await scene.bot.says("interaction.lost")
        await scene.moved()
        await scene.moved()

    return inject


async def _possibly_lost(scene: Scene) -> None:
    """Lose the acknowledgement of a command, and its second try. The acknowledgement may have arrived."""
    scene.local.faults.plan(*CALLBACK, Fault.RESET, times=2)
    await scene.write("failed")
    await scene.shown()
    await scene.moved()


def _moderated(call: tuple[str, str], command: str, **options: str) -> Injection:
    """AutoMod blocks an answer: the member is told so instead."""

    async def inject(scene: Scene) -> None:
        scene.local.faults.plan(*call, Fault.MODERATED)
        await scene.note()
        await scene.mover.command(command, **options)
        await scene.told("AutoMod of this server has blocked my answer.")
        await scene.moved()

    return inject


def _first(fault: Fault, *, arrives: bool = True) -> Injection:
    """A list of games is asked for, which is the first response: it comes, or Discord says that it failed."""

    async def inject(scene: Scene) -> None:
        scene.local.faults.plan(*CALLBACK, fault)
        answer = await scene.mover.command("games")
        assert answer["outcome"] == ("message" if arrives else "failed")
        if arrives:
            assert "Alaric" in text_of(answer["message"])
        else:
            await scene.bot.says("answer.not_delivered")
        assert len(scene.local.faults) == 0
        await scene.moved()

    return inject


def _answered(call: tuple[str, str], fault: Fault, *, times: int = 1, arrives: bool = True) -> Injection:
    """A lesson is begun, which is stored, so that `thinking` comes first: the lesson follows if it arrives."""

    async def inject(scene: Scene) -> None:
        scene.local.faults.plan(*call, fault, times=times)
        answer = await scene.mover.command("learn", game="alaric")
        if arrives:
            await once(scene.mover, answer["message"], lambda now: "Alaric" in text_of(now))
        else:
            await scene.bot.says("answer.not_delivered")
            now = await scene.mover.get(f"messages/{answer['message']['id']}")
            assert now["state"] == "thinking"
        assert len(scene.local.faults) == 0
        await scene.moved()

    return inject


async def _refusal_lost(scene: Scene) -> None:
    """Lose the refusal of a press out of turn, twice. Nothing else changes."""
    scene.local.faults.plan(*CALLBACK, Fault.RESET, times=2)
    waiter = scene.grace if scene.mover is scene.ada else scene.ada
    pressed = await waiter.press(scene.board.message, scene.board.moves[scene.next_move])
    assert pressed["outcome"] == "failed"
    await scene.bot.says("answer.not_delivered")
    await scene.moved()


async def _form_lost(scene: Scene) -> None:
    scene.local.faults.plan(*CALLBACK, Fault.RESET)
    opened = await scene.mover.press(scene.board.message, scene.board.buttons["Type a move"])
    assert opened["outcome"] == "failed"
    await scene.moved()


async def _suggestions_lost(scene: Scene) -> None:
    scene.local.faults.plan(*CALLBACK, Fault.RESET)
    suggested = await scene.mover.autocomplete("move", "move", move="", number=scene.board.match)
    assert suggested["outcome"] == "failed"
    suggested = await scene.mover.autocomplete("move", "move", move="", number=scene.board.match)
    assert scene.next_move in [choice["value"] for choice in suggested["choices"]]
    await scene.moved()


FAULTS = (
    *of(
        "press",
        "nothing",
        ("429", pressed(CALLBACK, Fault.RATE_LIMITED), [WEBHOOK_WAITS], [LIMITED]),
        ("502, then accepted", pressed(CALLBACK, Fault.BAD_GATEWAY), [], [BROKEN]),
        ("503, then accepted", pressed(CALLBACK, Fault.UNAVAILABLE), [], [BROKEN]),
        (
            "done, but answered with 502",
            pressed(CALLBACK, Fault.DONE_AND_BAD_GATEWAY),
            [],
            [BROKEN, REFUSED],
        ),
        ("answered 2 s late", pressed(CALLBACK, Fault.SLOW, seconds=2.0), [], []),
        ("done, and answered 4 s late", pressed(CALLBACK, Fault.LATE, seconds=4.0), [], []),
        ("connection reset", pressed(CALLBACK, Fault.RESET), [], [CUT]),
        ("done, but the reply is lost", pressed(CALLBACK, Fault.LOST), [], [CUT, REFUSED]),
        sampled=("done, but the reply is lost",),
    ),
    *of(
        "press",
        FAILED_AND_SHOWN,
        ("429 without `Via`", pressed(CALLBACK, Fault.BANNED, "failed"), [], [LIMITED]),
        ("429 with a page of HTML", pressed(CALLBACK, Fault.BANNED_BY_PAGE, "failed"), [], [LIMITED]),
        ("502 twice", pressed(CALLBACK, Fault.BAD_GATEWAY, "failed", times=2), [], [TWICE, REFUSED, LATE]),
        ("connection reset twice", pressed(CALLBACK, Fault.RESET, "failed", times=2), [], [CUT_TWICE]),
        ("20 s late", pressed(CALLBACK, Fault.SLOW, "failed", 20.0), [], [REFUSED, LATE]),
    ),
    *of(
        "command",
        FAILED_AND_NOT_DONE,
        ("502 twice", _not_done(Fault.BAD_GATEWAY, times=2), [LOST], [TWICE, REFUSED, LATE]),
        ("20 s late", _not_done(Fault.SLOW, seconds=20.0), [LOST], [REFUSED, LATE]),
        ("401", _not_done(Fault.UNAUTHORIZED), [LOST], [REFUSED, LATE]),
    ),
    *of(
        "command",
        "nothing",
        (
            "done, but answered with 502",
            written(CALLBACK, Fault.DONE_AND_BAD_GATEWAY),
            [],
            [BROKEN, REFUSED],
        ),
        ("connection reset", written(CALLBACK, Fault.RESET), [], [CUT]),
        ("done, but the reply is lost", written(CALLBACK, Fault.LOST), [], [CUT, REFUSED]),
    ),
    PlayedFault(
        "command: connection reset twice",
        _possibly_lost,
        FAILED_AND_SHOWN,
        (MAYBE_LOST, NOT_DELIVERED),
        (CUT_TWICE, REFUSED, FAILED),
    ),
    *of(
        "answer",
        "the answer comes later",
        ("429", _answered(ANSWER, Fault.RATE_LIMITED), [WEBHOOK_WAITS], [LIMITED]),
        ("503, then accepted", _answered(ANSWER, Fault.UNAVAILABLE), [], [BROKEN]),
    ),
    *of(
        "answer",
        "the answer never comes; the command can be used again",
        (
            "503 for 25 s",
            _answered(ANSWER, Fault.UNAVAILABLE, times=5, arrives=False),
            [NOT_DELIVERED],
            [FIVE_TIMES, FAILED],
        ),
        (
            "401: the token of the interaction has expired",
            _answered(ANSWER, Fault.UNAUTHORIZED, arrives=False),
            [NOT_DELIVERED],
            [REFUSED, FAILED],
        ),
        ("404", _answered(ANSWER, Fault.NOT_FOUND, arrives=False), [NOT_DELIVERED], [REFUSED, FAILED]),
        (
            "connection reset",
            _answered(ANSWER, Fault.RESET, arrives=False),
            [NOT_DELIVERED],
            [CUT, FAILED],
        ),
        sampled=("404",),
    ),
    *of(
        "first answer",
        "nothing",
        ("429", _first(Fault.RATE_LIMITED), [WEBHOOK_WAITS], [LIMITED]),
        ("503, then accepted", _first(Fault.UNAVAILABLE), [], [BROKEN]),
        ("connection reset", _first(Fault.RESET), [], [CUT]),
        ("done, but the reply is lost", _first(Fault.LOST), [], [CUT, REFUSED]),
        sampled=("done, but the reply is lost",),
    ),
    *of(
        "first answer",
        FAILED_AND_NOT_DONE,
        ("401", _first(Fault.UNAUTHORIZED, arrives=False), [NOT_DELIVERED], [REFUSED, FAILED]),
    ),
    PlayedFault(
        "first answer: blocked by AutoMod (200000)",
        _moderated(CALLBACK, "games"),
        "“AutoMod of this server has blocked my answer. ...”",
        (NOT_DELIVERED,),
        (REFUSED, FAILED),
    ),
    PlayedFault(
        "answer: blocked by AutoMod (200000)",
        _moderated(ANSWER, "learn", game="alaric"),
        "“AutoMod of this server has blocked my answer. ...”",
        (NOT_DELIVERED,),
        (REFUSED, FAILED),
    ),
    *of(
        "command",
        FAILED_AND_NOT_DONE,
        ("429 without `retry_after`", _not_done(Fault.RATE_LIMITED_UNTIMED), [LOST], [LIMITED, LATE]),
    ),
    *of(
        "answer",
        "the answer never comes; the command can be used again",
        (
            "429 without `retry_after`",
            _answered(ANSWER, Fault.RATE_LIMITED_UNTIMED, arrives=False),
            [NOT_DELIVERED],
            [LIMITED, FAILED],
        ),
    ),
    PlayedFault(
        "refusal of a press: connection reset twice",
        _refusal_lost,
        FAILED_AND_NOT_DONE,
        (NOT_DELIVERED,),
        (CUT_TWICE, FAILED),
    ),
    PlayedFault(
        "form: connection reset",
        _form_lost,
        FAILED_AND_NOT_DONE,
        (Seen("form.not_opened"),),
        (CUT, FAILED),
    ),
    PlayedFault(
        "suggestions: connection reset",
        _suggestions_lost,
        "no suggestions until the next letter",
        (),
        (CUT,),
    ),
)
