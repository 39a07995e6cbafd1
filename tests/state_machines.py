"""How stateful tests run a machine of Hypothesis."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any

from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test

from tests.seeds import SHARE

Run = Callable[[Awaitable[Any]], Any]
"""A function that runs a coroutine to its end."""


@contextmanager
def outside_a_loop() -> Iterator[Run]:
    """Yield a Run in one event loop, for Hypothesis, which calls its rules outside a loop."""
    with asyncio.Runner(loop_factory=asyncio.new_event_loop) as runner:

        async def wait(it: Awaitable[Any]) -> Any:
            return await it

        yield lambda it: runner.run(wait(it))


def run_examples(machine: Callable[[], RuleBasedStateMachine], examples: int, steps: int) -> None:
    """Run as many examples of a machine, each of at most so many steps and with a machine of its own.

    `make soak` makes an example that fails as short as possible, which takes minutes.
    """
    run_state_machine_as_test(
        machine,  # type: ignore[arg-type]  # documented to take a factory, annotated to take a class
        settings=settings(
            max_examples=max(examples, 1),
            stateful_step_count=steps,
            deadline=None,
            phases=tuple(Phase) if SHARE >= 1 else (Phase.generate,),
            suppress_health_check=list(HealthCheck),
        ),
    )
