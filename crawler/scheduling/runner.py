"""Starts jobs when they are due, never twice at the same time, and reports missed runs."""

import contextlib
import json
import logging
import os
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event
from typing import Any

from apscheduler.events import EVENT_JOB_ERROR, EVENT_JOB_MISSED, JobExecutionEvent
from apscheduler.jobstores.base import JobLookupError
from apscheduler.schedulers import SchedulerNotRunningError
from apscheduler.schedulers.blocking import BlockingScheduler
from apscheduler.triggers.cron import CronTrigger

from crawler.exit_status import last_result
from crawler.scheduling.job_plan import PlanError, SchedulePlan, read_plan
from crawler.scheduling.only_one import only_one
from crawler.scheduling.reports import make_report
from crawler.scheduling.scrapyd import NodeError, Nodes
from crawler.scheduling.starting import loads, start

RETRY_SECONDS = 60
WATCH_SECONDS = 15
"""Between two checks whether started jobs still run."""
_LATE_SECONDS = 120
_MAX_COUNTED_RUNS = 1_000


class Runner:
    """Executes a plan.

    Args:
        state: a JSON file with each job's last run and its result, used to detect runs missed while no runner ran.
        say: gets a sentence for each event.
        path: the plan's file; reloaded when it has changed.
    """

    def __init__(
        self, plan: SchedulePlan, nodes: Nodes, state: Path, say: Callable[[str], None], path: Path | None = None
    ) -> None:
        self._plan = plan
        self._nodes = nodes
        self._state_path = state
        self._say = say
        self._state = _read_state(state)
        self._path, self._read_at = path, _changed_at(path)
        self._scheduler = BlockingScheduler(timezone=plan.timezone)
        self._stopping = Event()

    def run(self) -> None:
        """Execute the plan until `stop`; stand by while another process on this machine executes it."""
        with only_one(self._state_path.with_suffix(".lock"), self._stopping, self._say) as is_mine:
            if is_mine:
                self._state = _read_state(self._state_path)
                self._execute()

    def _execute(self) -> None:
        logging.getLogger("apscheduler").setLevel(logging.ERROR)
        self._scheduler.add_listener(self._missed_now, EVENT_JOB_MISSED)
        self._scheduler.add_listener(lambda event: self._say(f"{event.job_id}: {event.exception}"), EVENT_JOB_ERROR)
        for name in self._plan.planned:
            self._add(name)
        for name in self.missed(datetime.now(UTC)):
            self._late(name)
        for task, name in ((self.watch, " watch"), (self.reload, " reload")):
            self._scheduler.add_job(task, "interval", seconds=WATCH_SECONDS, id=name, coalesce=True)
        with contextlib.suppress(KeyboardInterrupt, SystemExit):
            self._scheduler.start()

    def _add(self, name: str) -> None:
        self._scheduler.add_job(
            self.fire,
            self._plan.trigger(name),
            [name],
            id=name,
            coalesce=True,
            misfire_grace_time=_LATE_SECONDS,
            replace_existing=True,
        )
        self._say(f"{name}: next run {self._next(name):%Y-%m-%d %H:%M %Z}")

    def reload(self) -> None:
        """Reload a changed plan file; an invalid one is reported once, and the plan stays unchanged."""
        changed = _changed_at(self._path)
        if self._path is None or changed == self._read_at:
            return
        self._read_at = changed
        try:
            plan = read_plan(self._path)
        except PlanError as error:
            self._say(f"the plan is unchanged: {error}")
            return
        before, self._plan = self._plan, plan
        if plan.nodes != before.nodes:
            self._nodes = self._nodes.at(plan.nodes)
        for name in before.planned.keys() - plan.planned.keys():
            with contextlib.suppress(JobLookupError):  # never due again
                self._scheduler.remove_job(name)
            self._say(f"{name}: no longer planned")
        for name, job in plan.planned.items():
            if before.planned.get(name) != job or before.timezone != plan.timezone:
                self._add(name)
            if name not in self._state:
                self._note(name, "never run")

    def stop(self) -> None:
        self._stopping.set()
        with contextlib.suppress(SchedulerNotRunningError):
            self._scheduler.shutdown(wait=False)

    def missed(self, now: datetime) -> dict[str, int]:
        """The number of runs of each job that were due since its last one, while no runner ran."""
        found = {}
        for name in self._plan.planned:
            if last := self._state.get(name, {}).get("due"):
                count = _times_between(self._plan.trigger(name), datetime.fromisoformat(last), now)
                if count:
                    found[name] = count
                    self._say(f"{name}: {count} runs were missed since {last}")
            else:
                self._note(name, "never run")
        return found

    def fire(self, name: str) -> bool:
        """Start the job unless it is still running; True if it was started on any node."""
        if name in self._plan.reports:
            return self._make_report(name)
        if name not in self._plan.jobs:  # removed from the plan while it waited
            return False
        job, here = self._plan.jobs[name], loads(self._nodes)
        if mine := here.under_way(name):
            self._note(name, f"skipped: {mine.identity} is still {mine.state} on {mine.node}")
            return False
        found = start(self._nodes, name, job, here)
        self._report(name, found.jobs, found.wanted, found.faults)
        return bool(found.jobs)

    def _make_report(self, name: str) -> bool:
        self._note(name, "started")  # after a kill it must not be sent again
        is_sent, sentence = make_report(self._plan.reports[name], self._plan.timezone, self._nodes.given)
        self._note(name, sentence)
        return is_sent

    def _report(self, name: str, started: Sequence[tuple[str, str]], wanted: int, faults: Sequence[str]) -> None:
        reasons = f" ({'; '.join(faults)})" if faults else ""
        if started:
            short = f", on {len(started)} of {wanted} nodes" if len(started) < wanted else ""
            said = ", ".join(f"{identity} on {node}" for identity, node in started)
            self._note(name, f"started {said}{short}{reasons}", running=started)
            return
        self._note(name, f"not started: no node accepts it{reasons}")
        again = datetime.now(UTC) + timedelta(seconds=RETRY_SECONDS)
        if again < self._next(name):
            self._say(f"{name}: retry in {RETRY_SECONDS} s")
            self._scheduler.add_job(
                self.fire, "date", [name], run_date=again, id=f"{name} again", replace_existing=True
            )

    def watch(self) -> None:
        """Report the results of ended jobs; an unavailable node is queried later."""
        for name in self._plan.jobs:
            running = self._state.get(name, {}).get("running") or []
            ended = {
                (identity, node): said for identity, node in running if (said := self._ended(name, identity, node))
            }
            for (identity, node), said in ended.items():
                left = [[each, where] for each, where in running if (each, where) not in ended]
                self._note(name, f"{identity} on {node} {said}", running=left, due=self._state[name]["due"])

    def _ended(self, name: str, identity: str, node: str) -> str:
        """The result of the job as a sentence; "" while it runs or its node does not answer."""
        job = self._plan.jobs[name]
        try:
            if any(each.identity == identity for each in self._nodes.jobs(node)):
                return ""
            ending = last_result(self._nodes.end_of_log(node, job.project, job.spider, identity))
        except NodeError:
            return ""
        if ending is None:
            return "failed: its log has no result, so it was killed"
        return f"{'failed' if ending.is_failure else 'ended'}: {ending.sentence} (exit code {ending.code})"

    def _missed_now(self, event: JobExecutionEvent) -> None:
        """Handle a run missed because the machine was asleep or too busy."""
        name = str(event.job_id)
        if name in self._plan.planned:
            self._say(f"{name}: the run of {event.scheduled_run_time:%Y-%m-%d %H:%M %Z} was missed")
            self._late(name)

    def _late(self, name: str) -> None:
        if self._plan.planned[name].missed == "run":
            self._say(f"{name}: run late, once")
            self.fire(name)
        else:
            self._note(name, "missed runs are skipped, as planned")

    def _next(self, name: str) -> datetime:
        found: datetime | None = self._plan.trigger(name).get_next_fire_time(None, datetime.now(UTC))
        return found or datetime.max.replace(tzinfo=UTC)

    def _note(self, name: str, sentence: str, *, running: Sequence[Sequence[str]] | None = None, due: str = "") -> None:
        """Report a sentence and store it for restarts.

        Args:
            running: the jobs under way and their nodes; None leaves them unchanged.
            due: when the job was last due; by default now.
        """
        self._say(f"{name}: {sentence}")
        if running is None:
            running = self._state.get(name, {}).get("running") or []
        due = due or datetime.now(UTC).isoformat(timespec="seconds")
        self._state[name] = {"due": due, "outcome": sentence, "running": [list(each) for each in running]}
        try:
            _write_state(self._state_path, self._state)
        except OSError as error:
            self._say(
                f"{error.filename or self._state_path} cannot be written ({error.strerror}): runs that are missed "
                "while nothing runs here will not be noticed; name a file with --state"
            )


def _times_between(trigger: CronTrigger, start: datetime, end: datetime) -> int:
    """How often it was due after `start` up to `end`, at most `_MAX_COUNTED_RUNS`."""
    count, last = 0, start
    while count < _MAX_COUNTED_RUNS:
        due: datetime | None = trigger.get_next_fire_time(last, last + timedelta(seconds=1))
        if due is None or due > end:
            break
        count, last = count + 1, due
    return count


def _write_state(path: Path, state: dict[str, dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(".new")
    draft.write_text(json.dumps(state, ensure_ascii=False, indent=1), encoding="utf-8")
    os.replace(draft, path)


def _changed_at(path: Path | None) -> int:
    """The modification time of the file; 0 if missing."""
    try:
        return path.stat().st_mtime_ns if path else 0
    except OSError:
        return 0


def _read_state(path: Path) -> dict[str, dict[str, Any]]:
    try:
        found: dict[str, dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found


def last_outcome(state: Path, name: str) -> str:
    """The last reported sentence of a job."""
    return str(_read_state(state).get(name, {}).get("outcome", "never run"))
