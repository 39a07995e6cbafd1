"""The pages that a process with a metrics port serves, as an orchestrator and Prometheus read them."""

import asyncio
import re
from collections.abc import Mapping
from pathlib import Path
from tempfile import NamedTemporaryFile
from time import monotonic
from typing import Any

import aiohttp
from prometheus_client.parser import text_string_to_metric_families

from tests.e2e.forked_process import Forked
from tests.waiting import PATIENCE

Samples = Mapping[tuple[str, ...], float]
"""Values of a metric by the values of its labels, in the order of the labels' names."""


class Pages:
    """The pages of the process with this log, as text or as JSON; of several, those of the last."""

    def __init__(self, log: str) -> None:
        ports = re.findall(r'metrics.started .*port=([0-9]+)|"port": ([0-9]+), "event": "metrics', log)
        assert ports, log
        self.port = int("".join(ports[-1]))

    async def get(self, path: str) -> tuple[int, Any]:
        """The status and the JSON of a page."""
        async with (
            aiohttp.ClientSession(f"http://127.0.0.1:{self.port}") as session,
            session.get(path) as page,
        ):
            return page.status, await page.json()

    async def readyz(self, **expected: object) -> None:
        """Wait until the page is so: `ready`, `standing_by`, and by name what is not ready."""
        end = monotonic() + PATIENCE
        while True:
            status, page = await self.get("/readyz")
            assert (status, page["ready"]) == ((503, False) if page["not_ready"] else (200, True))
            found = {"ready": page["ready"], "standing_by": page["standing_by"], **page["not_ready"]}
            if found == {"ready": True, "standing_by": False, **expected}:
                return
            assert monotonic() < end, found
            await asyncio.sleep(0.05)

    async def text(self) -> str:
        """The metrics as they are served."""
        async with (
            aiohttp.ClientSession(f"http://127.0.0.1:{self.port}") as session,
            session.get("/metrics") as page,
        ):
            assert page.status == 200
            return await page.text()

    async def samples(self) -> Mapping[str, Samples]:
        """All samples by their names."""
        found: dict[str, dict[tuple[str, ...], float]] = {}
        for family in text_string_to_metric_families(await self.text()):
            for sample in family.samples:
                labels = tuple(value for _, value in sorted(sample.labels.items()))
                found.setdefault(sample.name, {})[labels] = sample.value
        return found

    async def until(self, **expected: Samples) -> Mapping[str, Samples]:
        """Wait until these metrics have these samples, and return all."""
        end = monotonic() + PATIENCE
        while True:
            found = await self.samples()
            these = {name: found[name] for name in expected}
            if these == expected:
                return found
            assert monotonic() < end, these
            await asyncio.sleep(0.05)

    async def health(self) -> tuple[int, str]:
        """The exit status of `python -m bot.health` with the bot's settings, and what it complains of."""
        with NamedTemporaryFile() as output:
            process = Forked("bot.health", {"PENCILBOX_METRICS_PORT": str(self.port)}, output.name)
            return await process.wait(), Path(output.name).read_text().strip()
