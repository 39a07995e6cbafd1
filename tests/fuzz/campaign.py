"""Many inputs to one target: each is accepted, or refused in one sentence; anything else is a finding."""

import re
import signal
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from types import FrameType
from typing import Any, Protocol

QUICK = 0.05
"""Seconds of processor time that one input may take."""
HANGING = 20.0
"""Seconds of processor time after which an input is given up."""
SHOWN = 400
"""The most characters of an input that a finding shows."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer to an input: accepted, or refused with this sentence by an error of this class."""

    accepted: bool
    by: str = ""
    sentence: str = ""

    @property
    def kind(self) -> str:
        """The answer without what is quoted, counted or placed in it."""
        said = re.sub(r"(`…`)(?:(?:, | or | and )`…`)+", r"\1", re.sub(r"`[^`]*`", "`…`", self.sentence))
        return f"{self.by}: {re.sub(r'-?[0-9]+', '0', re.sub(r'[a-z][0-9]+', 'a0', said))}"


class Target(Protocol):
    """A part of the bot that takes inputs from outside."""

    name: str
    repeatable: bool
    """True if the same input always takes the same work, so that a slow one can be measured again."""

    def make(self, chance: Random) -> Any:
        """Return an input."""

    async def judge(self, given: Any) -> Verdict:
        """Return the answer to an input. Raises anything but a refusal, AssertionError where a law does not hold."""


@dataclass
class Counts:
    """The answers of one target so far."""

    name: str
    inputs: int = 0
    accepted: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    newest: int = 0
    """The number of the input that was answered by a kind of sentence that no input before had got."""
    slow: int = 0
    slowest: float = 0.0
    findings: dict[str, tuple[int, str]] = field(default_factory=dict)
    """By kind of error: the number of inputs that met it, and the first of them with its traceback."""

    def line(self) -> str:
        """The counts in one line."""
        return (
            f"{self.name}: {self.inputs:,} inputs, {self.accepted:,} accepted,"
            f" {self.inputs - self.accepted - self.failed:,} refused in {len(self.kinds)} kinds of sentences"
            f" (the last new one at input {self.newest:,}), {self.slow} over {QUICK * 1000:.0f} ms,"
            f" slowest {self.slowest * 1000:.0f} ms, {self.failed} findings"
        )

    @property
    def failed(self) -> int:
        return sum(number for number, _ in self.findings.values())

    def add(self, verdict: Verdict) -> None:
        self.accepted += verdict.accepted
        if not verdict.accepted:
            if verdict.kind not in self.kinds:
                self.newest = self.inputs
            self.kinds[verdict.kind] += 1

    def found(self, given: object, error: BaseException) -> str | None:
        """Count a finding; return its kind if it is the first of that kind."""
        where = traceback.extract_tb(error.__traceback__)[-1]
        kind = (
            f"{type(error).__name__} in {where.name}, {where.filename.rpartition('/')[2]} line {where.lineno}"
        )
        if said := str(error).strip():
            kind += f": {said.splitlines()[-1][:SHOWN]}"
        number, first = self.findings.get(kind, (0, ""))
        if not first:
            first = f"{_short(given)}\n{''.join(traceback.format_exception(error))}"
        self.findings[kind] = (number + 1, first)
        return None if number else kind


class Hanging(BaseException):
    """An input has taken HANGING seconds of processor time."""


async def run(
    target: Target, inputs: int, seed: object, counts: Counts | None = None, *, measured: bool = True
) -> Counts:
    """Give inputs to a target until `counts` has so many. `measured` counts those that take long."""
    counts = counts or Counts(target.name)
    for number in range(counts.inputs, inputs):
        counts.inputs += 1
        chance = Random(f"{seed} {target.name} {number}")
        given = target.make(chance)
        begun = time.process_time()
        try:
            with watched():
                verdict = await target.judge(given)
        except (Exception, Hanging) as error:
            if (kind := counts.found(given, error)) is not None:
                print(f"{target.name}, input {number:,}: {kind}\n{counts.findings[kind][1]}", flush=True)
            continue
        counts.add(verdict)
        if measured:
            took = time.process_time() - begun
            if took > QUICK and target.repeatable:
                took = min(took, *[await _took(target, given) for _ in range(2)])
            counts.slow += took > QUICK
            if took > counts.slowest:
                counts.slowest = took
    return counts


async def _took(target: Target, given: object) -> float:
    begun = time.process_time()
    await target.judge(given)
    return time.process_time() - begun


@contextmanager
def watched() -> Iterator[None]:
    """Raise Hanging if what runs within takes too much processor time."""

    def ring(number: int, frame: FrameType | None) -> None:
        raise Hanging(f"{HANGING} s of processor time")

    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, HANGING)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _short(given: object) -> str:
    text = ascii(given)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}… ({len(text):,} characters)"
