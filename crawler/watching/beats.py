"""A node's beats beside the crawl: Redis is asked in a thread, what it says is carried out between two visits."""

import asyncio
import logging
import time
from collections.abc import Collection
from typing import TYPE_CHECKING

from scrapy.crawler import Crawler

from crawler.config.crawl_names import crawl_name
from crawler.frontier.opening import is_shared
from crawler.watching.holding import Holding
from crawler.watching.portions import NodesAwayError, Part
from pipelines.stores.base import Store, StoreAwayError

if TYPE_CHECKING:
    from crawler.watching.nodes import Nodes

logger = logging.getLogger(__name__)
BEAT_SECONDS = 4.0


class Beats:
    """Keeps what this node holds up to date; does nothing for a watch on one node."""

    def __init__(self, holding: Holding) -> None:
        self._holding = holding
        self._task: asyncio.Task[Part] | None = None
        self._at = 0.0
        self._is_away = False
        self._nodes = 0

    def turn(self, store: Store, under_way: Collection[str], now: float) -> None:
        """Called between visits: begins a beat that is due, and carries out what the last one said."""
        if self._holding.nodes is None:
            return
        if self._task is None and time.monotonic() >= self._at:
            self._at = time.monotonic() + BEAT_SECONDS
            self._task = asyncio.get_running_loop().create_task(asyncio.to_thread(self._holding.beat))
        elif self._task is not None and self._task.done():
            task, self._task = self._task, None
            self._carry_out(task, store, under_way, now)

    def _carry_out(self, task: "asyncio.Task[Part]", store: Store, under_way: Collection[str], now: float) -> None:
        try:
            part = task.result()
        except NodesAwayError as error:
            if not self._is_away:
                logger.warning("%s: this node stops its visits in a moment, and goes on when Redis is back", error)
            self._is_away = True
            return
        if self._is_away or part.nodes != self._nodes:
            logger.info("The watch has %d nodes; this one holds %d of its slots", part.nodes, len(part.slots))
        self._is_away, self._nodes = False, part.nodes
        try:
            self._holding.update(part, store, under_way, now)
        except StoreAwayError as error:
            logger.warning("What is known of new sites cannot be read now: %s", error)

    async def end(self) -> None:
        """Others may have the sites."""
        if self._task is not None:
            await asyncio.wait((self._task,))
        await asyncio.to_thread(self._holding.leave)


def open_nodes(crawler: Crawler) -> "Nodes | None":
    """This node's side of a watch that nodes share; None without a shared frontier."""
    if not is_shared(crawler.settings):
        return None
    from crawler.frontier.shared.opening import crawl_key  # a watch on one machine needs no Redis client in its memory
    from crawler.frontier.shared.server import connect
    from crawler.watching.nodes import Nodes

    return Nodes(connect(crawler.settings), crawl_key(crawler.settings, crawl_name(crawler)))
