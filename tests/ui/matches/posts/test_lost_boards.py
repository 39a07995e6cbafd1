"""Pictures of boards are told from others in a channel by their names."""

from bot.ui.kit.content.pictures import board_picture
from bot.ui.matches.posts.lost_boards import PICTURE
from bot.ui.replay.animation import ReplaySource, position
from tests.app.conftest import Host


async def test_a_position_that_a_member_shows_is_no_lost_board(host: Host) -> None:
    table = await host.begin("skull", "quick")
    assert PICTURE.search((await board_picture(table, "paper")).filename)
    shown = await position(ReplaySource(table.name, f"skull-{table.id}", table.match, None), 0, "paper")
    assert shown.attached
    assert not any(PICTURE.search(file.filename) for file in shown.attached)
