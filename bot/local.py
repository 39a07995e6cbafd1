"""Playing without Discord: the embedded local Discord, and how discord.py is pointed at it."""

import discord
import yarl

from bot.sandbox import Sandbox
from bot.settings import Settings

MEMBERS = ("Ada", "Grace", "Emmy")

WELCOME = """\
## Welcome to Pencilbox
This is a small chat on your own machine, made for trying the games. You can act as any member: change who you are \
in the member list, or open a second window as somebody else.
1. As **Ada**, type `/challenge`, choose **Grace** and a game, and press Enter.
2. Become **Grace** and press **Accept**.
3. Whoever is called plays: press a button under the board, or type `/move`.

`/rules` explains a game, `/board` shows it again, `/leaderboard` tells who won. Everything is kept when you stop."""

TOKEN = "local"  # noqa: S105 - not a secret
"""Any token will do there."""


def local_discord(settings: Settings, port: int) -> Sandbox:
    """The embedded local Discord, kept in the data folder."""
    return Sandbox(
        port=port, members=MEMBERS, welcome=WELCOME, path=settings.data_dir / "local-discord.sqlite3"
    )


def point_discord_py_at(url: str) -> None:
    """Send this process's discord.py to the local Discord at `url`. Must happen before the client starts."""
    discord.http.Route.BASE = f"{url}/api/v10"
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(url.replace("http://", "ws://", 1) + "/")
    discord.asset.Asset.BASE = url
