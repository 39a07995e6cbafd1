"""The global limit of requests in a second."""

from bot.sandbox import ManualClock, Sandbox
from tests.sandbox.raw_bot import raw_bot


async def test_requests_beyond_the_limit_wait_for_the_next_second() -> None:
    clock = ManualClock()
    async with Sandbox(clock=clock, global_limit=5) as local, raw_bot(local) as bot:
        answers = [await bot.call("GET", "/users/@me") for _ in range(8)]
        assert [status for status, _ in answers] == [200] * 5 + [429] * 3
        assert answers[5][1] == {
            "message": "You are being rate limited.", "retry_after": 1, "global": True, "code": 0,
        }  # fmt: skip
        assert local.services.limit.refused == 3
        await clock.advance(1)
        assert (await bot.call("GET", "/users/@me"))[0] == 200


async def test_a_refusal_says_in_its_headers_that_it_is_global() -> None:
    async with Sandbox(clock=ManualClock(), global_limit=0) as local, raw_bot(local) as bot:
        headers = {"Authorization": "Bot any"}
        async with bot.session.get(f"{local.url}/api/v10/users/@me", headers=headers) as answer:
            assert answer.headers["X-RateLimit-Global"] == "true"
            assert answer.headers["X-RateLimit-Scope"] == "global"
            assert answer.headers["Retry-After"] == "1"


async def test_answers_to_interactions_do_not_count() -> None:
    async with Sandbox(clock=ManualClock(), global_limit=0) as local, raw_bot(local) as bot:
        assert (await bot.call("GET", "/users/@me"))[0] == 429
        path = "/interactions/1/none/callback"
        assert (await bot.call("POST", path, {"type": 4}, token=""))[0] == 404
