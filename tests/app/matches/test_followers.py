"""Following a game of others: who may, and how many."""

import pytest

from bot.app.errors import Refused
from bot.app.matches import followers
from db.values.places import Place
from tests.app.conftest import ADA, ELSEWHERE, EMMY, GRACE, HERE, Host


async def test_members_follow_games_of_others_in_their_server(host: Host) -> None:
    service = host.services.followers
    match = (await host.begin("skull", "quick")).id
    _, followed = await service.check(match, EMMY, ELSEWHERE)
    assert followed is None
    await service.follow(match, EMMY, ELSEWHERE, moves=False)
    loaded, followed = await service.check(match, EMMY, HERE)
    assert (loaded.stored.context.followers, followed) == (1, False)
    assert [it.id for it in await service.of(EMMY)] == [match]
    with pytest.raises(Refused, match="You play in"):
        await service.follow(match, GRACE, HERE, moves=True)
    with pytest.raises(Refused, match="There is no game"):
        await service.follow(match, EMMY, Place(2, 22), moves=True)
    await host.services.matches.resign(match, ADA)
    with pytest.raises(Refused, match="is over"):
        await service.follow(match, EMMY, HERE, moves=True)
    await service.stop(match, EMMY)
    with pytest.raises(Refused, match="You do not follow this game"):
        await service.stop(match, EMMY)


async def test_games_of_nobody_else_and_of_direct_messages(host: Host) -> None:
    service = host.services.followers
    alone = await host.services.computer_games.play(HERE, ADA, "alaric")
    assert alone.stored.private
    with pytest.raises(Refused, match="There is no game"):
        await service.follow(alone.id, EMMY, HERE, moves=True)
    direct = Place(None, 13)
    among = (await host.begin("skull", "quick", direct)).id
    with pytest.raises(Refused, match="in a server of which I am a member"):
        await service.follow(among, EMMY, direct, moves=True)


async def test_numbers_are_limited(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(followers, "MOST_FOLLOWED", 1)
    monkeypatch.setattr(followers, "MOST_FOLLOWERS", 1)
    service = host.services.followers
    one, other = [(await host.begin("skull", "quick")).id for _ in range(2)]
    await service.follow(one, EMMY, HERE, moves=False)
    with pytest.raises(Refused, match="You follow 1 games"):
        await service.follow(other, EMMY, HERE, moves=False)
    await service.follow(one, EMMY, HERE, moves=True)
    with pytest.raises(Refused, match="1 members follow"):
        await service.follow(one, 104, HERE, moves=False)
