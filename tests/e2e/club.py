"""The members and the bot that most end-to-end tests play with."""

from dataclasses import dataclass
from pathlib import Path

from bot.sandbox import Sandbox
from tests.contract.player import Player
from tests.e2e.bot_process import BotProcess
from tests.e2e.panels import Panel


@dataclass(frozen=True)
class Club:
    """Three members of a server with the bot in it, where no privileged intent is granted. Ada owns the server.

    `folder` is the bot's data folder.
    """

    local: Sandbox
    bot: BotProcess
    folder: Path
    ada: Player
    grace: Player
    emmy: Player

    def by_turn(self, panel: Panel) -> tuple[Player, Player]:
        """Of Ada and Grace, the member on turn and the one who waits."""
        return (self.ada, self.grace) if panel.turn == self.ada.id else (self.grace, self.ada)

    async def restart(self) -> None:
        """Kill the bot and start it again."""
        await self.bot.kill()
        await self.start_again()

    async def start_again(self) -> None:
        """Start the bot after it was killed."""
        await self.bot.start_again(self.local.url, self.ada.id)
