"""Request ids: all log lines of one interaction, or of one round of a background task, carry the same short word."""

from contextvars import Context

from structlog.contextvars import bind_contextvars, get_contextvars

_KEY = "request"
_ROUND = "-"
"""Stands before the number of a round; the id of an interaction has none."""


def begin_request(request: str) -> None:
    """Let all log lines of the current task carry this id, and those of threads and tasks that it starts."""
    bind_contextvars(**{_KEY: request})


def begin_round(task: str, number: int) -> None:
    """Let all log lines of the current task carry the id of a round of a background task, such as `posts-12`."""
    begin_request(f"{task}{_ROUND}{number}")


def is_round(request: str) -> bool:
    """True if this is the id of a round of a background task, and not of an interaction."""
    return _ROUND in request


def current_request() -> str | None:
    """Return the id that log lines carry here, or None."""
    return get_contextvars().get(_KEY)


def own_context() -> Context:
    """Return a context for a task that outlives what started it: of that it keeps the request id alone."""
    context, request = Context(), current_request()
    if request is not None:
        context.run(begin_request, request)
    return context
