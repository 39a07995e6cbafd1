"""The settings with which stateful tests run a machine of Hypothesis."""

from collections.abc import Callable

from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test

from tests.seeds import SHARE


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
