"""Outcomes of requests to Discord's REST API, through aiohttp's tracing, which discord.py offers."""

import re
from collections.abc import Callable
from enum import StrEnum
from time import perf_counter
from types import SimpleNamespace

import aiohttp

_FIRST_ANSWER = re.compile(r"/api/v[0-9]+/interactions/([0-9]+)/[^/]+/callback")


class RequestOutcome(StrEnum):
    """The outcome of a request."""

    OK = "ok"
    RATE_LIMITED = "rate limited"
    REFUSED = "refused"
    """Discord answered that it is not possible (another status from 400 to 499)."""
    FAILED = "failed"
    """Discord has a problem (a status from 500 on)."""
    UNREACHABLE = "unreachable"
    """No answer came."""


def outcome_of(status: int) -> RequestOutcome:
    """Return the outcome that an HTTP status says."""
    if status < 400:
        return RequestOutcome.OK
    if status == 429:
        return RequestOutcome.RATE_LIMITED
    return RequestOutcome.REFUSED if status < 500 else RequestOutcome.FAILED


def request_trace(
    ended: Callable[[RequestOutcome, float], None], acknowledged: Callable[[int], None]
) -> aiohttp.TraceConfig:
    """Return a trace that tells of each request its outcome and seconds, and the interactions with a first answer."""

    async def start(_: object, context: SimpleNamespace, __: aiohttp.TraceRequestStartParams) -> None:
        context.began = perf_counter()

    async def end(_: object, context: SimpleNamespace, params: aiohttp.TraceRequestEndParams) -> None:
        path, outcome = params.url.path, outcome_of(params.response.status)
        if not path.startswith("/api/"):
            return  # the gateway
        ended(outcome, perf_counter() - context.began)
        answered = _FIRST_ANSWER.fullmatch(path)
        if answered is not None and outcome is RequestOutcome.OK:
            acknowledged(int(answered[1]))

    async def fail(_: object, context: SimpleNamespace, params: aiohttp.TraceRequestExceptionParams) -> None:
        if params.url.path.startswith("/api/"):
            ended(RequestOutcome.UNREACHABLE, perf_counter() - context.began)

    trace = aiohttp.TraceConfig()
    trace.on_request_start.append(start)
    trace.on_request_end.append(end)
    trace.on_request_exception.append(fail)
    return trace
