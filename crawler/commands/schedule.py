"""`scrapy schedule`: jobs on scrapyd nodes, started when a file says so."""

import argparse
import signal
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from scrapy.exceptions import UsageError

from crawler.command_line import QuietCommand
from crawler.scheduling.plan import Plan, PlanError, read_plan
from crawler.scheduling.runner import Runner
from crawler.scheduling.scrapyd import NodeError, Nodes


class Command(QuietCommand):
    """Runs a plan, or says what it would do."""

    takes_words = True
    examples = (
        "scrapy schedule check schedule.yaml          is the file right, and when is each job due?",
        "scrapy schedule run schedule.yaml            start jobs when they are due, until stopped",
        "scrapy schedule now schedule.yaml news       start one job at once, unless it is running",
        "scrapy schedule nodes schedule.yaml          what runs and waits on each node",
    )

    def syntax(self) -> str:
        """See `ScrapyCommand.syntax`."""
        return "check|run|now|nodes FILE [JOB] [options]"

    def short_desc(self) -> str:
        """See `ScrapyCommand.short_desc`."""
        return "Start jobs on scrapyd nodes when a file says so"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """See `ScrapyCommand.add_options`."""
        super().add_options(parser)
        parser.add_argument("--state", default="", metavar="FILE", help="where last runs are kept (FILE.state.json)")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Every fault becomes a sentence on stderr and exit code 1."""
        actions = {"check": self._check, "run": self._run, "now": self._now, "nodes": self._nodes}
        if len(args) not in (2, 3) or args[0] not in actions:
            raise UsageError("Say what, and the file: scrapy schedule check|run|now|nodes FILE [JOB]", print_help=False)
        path = Path(args[1])
        try:
            actions[args[0]](read_plan(path), Path(opts.state or f"{path}.state.json"), *args[2:])
        except PlanError as error:
            self.fail(error)

    def _check(self, plan: Plan, state: Path) -> None:
        now = datetime.now(UTC)
        for name, job in plan.jobs.items():
            due: Any = plan.trigger(name).get_next_fire_time(None, now)
            when = f"{due:%Y-%m-%d %H:%M %Z}" if due else "never"
            print(f"{name}\t{job.spider}\t{job.cron}\tnext: {when}\tnodes: {job.nodes}")

    def _run(self, plan: Plan, state: Path) -> None:
        runner = Runner(plan, Nodes(plan.nodes), state, _say)
        signal.signal(signal.SIGTERM, lambda *_: runner.stop())
        runner.run()
        _say("stopped")

    def _now(self, plan: Plan, state: Path, name: str = "") -> None:
        if name not in plan.jobs:
            raise PlanError(f"Say which job: {', '.join(plan.jobs)}")
        if not Runner(plan, Nodes(plan.nodes), state, _say).fire(name):
            self.exitcode = 1

    def _nodes(self, plan: Plan, state: Path) -> None:
        nodes = Nodes(plan.nodes)
        for node in nodes.addresses():
            try:
                jobs = ", ".join(f"{job.identity} ({job.state})" for job in nodes.jobs(node))
                print(f"{node}\t{jobs or 'idle'}")
            except NodeError as error:
                self.fail(error)


def _say(sentence: str) -> None:
    print(f"{datetime.now(UTC).isoformat(timespec='seconds')} {sentence}", flush=True)
