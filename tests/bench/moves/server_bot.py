"""`python -m tests.bench.moves.server_bot`: the bot without a library that only tools of developers bring, so that it
takes as much memory as on a server."""

import runpy
import sys

if __name__ == "__main__":
    # structlog imports it if it is there.
    sys.modules["rich"] = None  # type: ignore[assignment]  # None refuses the import
    runpy.run_module("bot", run_name="__main__", alter_sys=True)
