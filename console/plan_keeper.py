"""Executes the plan of jobs while the console serves, if its jobs run on this machine."""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from scrapy.settings import BaseSettings

from console.queries import nodes
from crawler.scheduling import Runner
from crawler.scheduling.job_plan import SchedulePlan
from crawler.scheduling.scrapyd import HERE

logger = logging.getLogger(__name__)
_SECONDS = 5.0


@contextmanager
def keeping_plan(settings: BaseSettings) -> Iterator[None]:
    """Like `scrapy schedule run` in a thread, from when there is a plan; the two never execute one at the same time."""
    keeper = _PlanKeeper(settings)
    thread = threading.Thread(target=keeper.run, name="plan", daemon=True)
    thread.start()
    try:
        yield
    finally:
        keeper.stop()
        thread.join(_SECONDS)


class _PlanKeeper:
    def __init__(self, settings: BaseSettings) -> None:
        self._settings = settings
        self._ended = threading.Event()
        self._runner: Runner | None = None

    def run(self) -> None:
        while not self._ended.is_set():
            plan = self._own_plan()
            if plan is not None:
                self._execute(plan)
            self._ended.wait(_SECONDS)

    def stop(self) -> None:
        self._ended.set()
        if self._runner is not None:
            self._runner.stop()

    def _own_plan(self) -> SchedulePlan | None:
        """The plan, if this machine is the only node; `scrapy schedule run` executes others."""
        plan, _ = nodes.plan_of(self._settings)
        return plan if plan is not None and plan.nodes == (HERE,) else None

    def _execute(self, plan: SchedulePlan) -> None:
        path, state = nodes.plan_path(self._settings), nodes.state_path(self._settings)
        self._runner = Runner(plan, nodes.nodes_of(self._settings), state, lambda said: logger.info("%s", said), path)
        try:
            if not self._ended.is_set():
                self._runner.run()
        except OSError as error:
            logger.error("The plan cannot be executed: %s", error)
