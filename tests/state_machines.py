"""How stateful tests run a machine of Hypothesis."""

from collections.abc import Callable

from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test


def run_examples(machine: Callable[[], RuleBasedStateMachine], examples: int, steps: int) -> None:
    """Run as many examples of a machine, each of at most so many steps and with a machine of its own."""
    run_state_machine_as_test(
        machine,  # type: ignore[arg-type]  # documented to take a factory, annotated to take a class
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
