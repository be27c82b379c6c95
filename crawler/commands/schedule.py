"""`scrapy schedule`: jobs on this machine or on scrapyd nodes, started by a schedule."""

import argparse
import signal
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from scrapy.exceptions import UsageError

from crawler.command_line import QuietCommand, say, write_out
from crawler.commands.crawl import check_spider
from crawler.config import shown
from crawler.config.settings_check import check_settings, known_names
from crawler.scheduling import Runner, last_outcome
from crawler.scheduling.job_plan import JobPlan, PlanError, SchedulePlan, read_plan
from crawler.scheduling.scrapyd import LocalJobs, NodeError, Nodes


class Command(QuietCommand):
    """Runs a schedule, checks it, or shows the nodes."""

    takes_arguments = True
    examples = (
        "scrapy schedule check schedule.yaml          check the file and show when each job is due",
        "scrapy schedule run schedule.yaml            start jobs when they are due, until stopped",
        "scrapy schedule now schedule.yaml news       start one job now, unless it is running",
        "scrapy schedule nodes schedule.yaml          running and waiting jobs of each node",
    )
    usage = "check|run|now|nodes FILE [JOB] [options]"
    summary = "Start jobs by a schedule, on this machine or on nodes"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument(
            "--state", default="", metavar="FILE", help="file that holds the last runs (default: FILE.state.json)"
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        actions = {"check": self._check, "run": self._run, "now": self._now, "nodes": self._nodes}
        if len(args) not in (2, 3) or args[0] not in actions:
            raise UsageError("Use: scrapy schedule check|run|now|nodes FILE [JOB]", print_help=False)
        path = self._path = Path(args[1])
        try:
            actions[args[0]](read_plan(path), Path(opts.state or f"{path}.state.json"), *args[2:])
        except PlanError as error:
            self.fail(error)

    def _check(self, plan: SchedulePlan, state: Path) -> None:
        now = datetime.now(UTC)
        for name, job in plan.jobs.items():
            if job.project == "topicrawl":
                self._check_job(name, job)
        for name, each in plan.planned.items():
            due: Any = plan.trigger(name).get_next_fire_time(None, now)
            when = f"{due:%Y-%m-%d %H:%M %Z}" if due else shown("never")
            what = each.spider if isinstance(each, JobPlan) else f"{shown('report')} {each.topic}".strip()
            where = (
                f"nodes: {each.nodes}"
                if isinstance(each, JobPlan)
                else f"to: {', '.join(filter(None, (*each.send, each.folder)))}"
            )
            say(f"{name}\t{what}\t{each.cron}\tnext: {when}\t{where}\tlast: {shown(last_outcome(state, name))}")

    def _check_job(self, name: str, job: JobPlan) -> None:
        """Check spider, arguments and settings as `scrapy crawl` does; files and topics must exist here too."""
        settings = self.values.copy()
        settings.update(job.settings, priority="cmdline")
        try:
            check_settings(settings, job.settings, known_names(self.values))
            check_spider(settings, job.spider, {key: str(value) for key, value in job.arguments.items()})
        except ValueError as error:
            self.fail(f"{name}: {error}")

    def _run(self, plan: SchedulePlan, state: Path) -> None:
        runner = Runner(plan, self._nodes_of(plan), state, _say, self._path)
        signal.signal(signal.SIGTERM, lambda *_: runner.stop())
        runner.run()
        _say("stopped")

    def _now(self, plan: SchedulePlan, state: Path, name: str = "") -> None:
        if name not in plan.planned:
            raise PlanError(f"Name the job: {', '.join(plan.planned)}")
        if not Runner(plan, self._nodes_of(plan), state, _say).fire(name):
            self.exitcode = 1

    def _nodes_of(self, plan: SchedulePlan) -> Nodes:
        return Nodes(plan.nodes, here=LocalJobs(self.values))

    def _nodes(self, plan: SchedulePlan, state: Path) -> None:
        nodes = self._nodes_of(plan)
        for node in nodes.addresses():
            try:
                jobs = ", ".join(f"{job.identity} ({shown(job.state)})" for job in nodes.jobs(node))
                write_out(f"{node}\t{jobs or shown('idle')}")
            except NodeError as error:
                self.fail(error)


def _say(sentence: str) -> None:
    write_out(f"{datetime.now(UTC).isoformat(timespec='seconds')} {shown(sentence)}")
