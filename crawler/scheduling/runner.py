"""Jobs started when they are due: never twice at once, and a run that was missed is noticed and said."""

import contextlib
import json
import logging
import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from apscheduler.events import EVENT_JOB_ERROR, EVENT_JOB_MISSED, JobExecutionEvent
from apscheduler.schedulers.blocking import BlockingScheduler
from apscheduler.triggers.cron import CronTrigger

from crawler.scheduling.plan import JobPlan, Plan
from crawler.scheduling.scrapyd import NodeError, NodeJob, Nodes

RETRY_SECONDS = 60
_LATE_SECONDS = 120
_MOST_COUNTED = 1_000


class Runner:
    """Carries a plan out.

    Args:
        state: a JSON file with each job's last run; what was due while no runner ran is found by it.
        say: gets a sentence about everything that happens.
    """

    def __init__(self, plan: Plan, nodes: Nodes, state: Path, say: Callable[[str], None]) -> None:
        self._plan = plan
        self._nodes = nodes
        self._state_path = state
        self._say = say
        self._state = _read_state(state)
        self._scheduler = BlockingScheduler(timezone=plan.timezone)

    def run(self) -> None:
        """Until interrupted."""
        logging.getLogger("apscheduler").setLevel(logging.ERROR)
        self._scheduler.add_listener(self._missed_now, EVENT_JOB_MISSED)
        self._scheduler.add_listener(lambda event: self._say(f"{event.job_id}: {event.exception}"), EVENT_JOB_ERROR)
        for name in self._plan.jobs:
            self._scheduler.add_job(
                self.fire, self._plan.trigger(name), [name], id=name, coalesce=True, misfire_grace_time=_LATE_SECONDS
            )
            self._say(f"{name}: next run {self._next(name):%Y-%m-%d %H:%M %Z}")
        for name in self.missed(datetime.now(UTC)):
            self._late(name)
        with contextlib.suppress(KeyboardInterrupt, SystemExit):
            self._scheduler.start()

    def stop(self) -> None:
        """End `run`."""
        self._scheduler.shutdown(wait=False)

    def missed(self, now: datetime) -> dict[str, int]:
        """How many runs of each job were due since its last one, while nobody ran this."""
        found = {}
        for name in self._plan.jobs:
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
        job = self._plan.jobs[name]
        loads, faults = self._loads()
        mine = [each for jobs in loads.values() for each in jobs if each.identity.startswith(f"{name}-")]
        if mine:
            self._note(name, f"skipped: {mine[0].identity} is still {mine[0].state} on {mine[0].node}")
            return False
        wanted = len(loads) if job.nodes == "all" else job.nodes
        started: list[str] = []
        for node in sorted(loads, key=lambda node: len(loads[node])):
            if len(started) == wanted:
                break
            try:
                started.append(f"{self._nodes.start(node, _fields(name, job, len(started)))} on {node}")
            except NodeError as error:
                faults.append(str(error))
        self._report(name, started, wanted, faults)
        return bool(started)

    def _loads(self) -> tuple[dict[str, list[NodeJob]], list[str]]:
        loads, faults = {}, []
        for node in self._nodes.addresses():
            try:
                loads[node] = self._nodes.jobs(node)
            except NodeError as error:
                faults.append(str(error))
        return loads, faults

    def _report(self, name: str, started: list[str], wanted: int, faults: list[str]) -> None:
        reasons = f" ({'; '.join(faults)})" if faults else ""
        if started:
            short = f", on {len(started)} of {wanted} nodes" if len(started) < wanted else ""
            self._note(name, f"started {', '.join(started)}{short}{reasons}")
            return
        self._note(name, f"not started: no node takes it{reasons}")
        again = datetime.now(UTC) + timedelta(seconds=RETRY_SECONDS)
        if again < self._next(name):
            self._say(f"{name}: tried again in {RETRY_SECONDS} s")
            self._scheduler.add_job(
                self.fire, "date", [name], run_date=again, id=f"{name} again", replace_existing=True
            )

    def _missed_now(self, event: JobExecutionEvent) -> None:
        """The machine slept, or was too busy."""
        name = str(event.job_id)
        if name in self._plan.jobs:
            self._say(f"{name}: the run of {event.scheduled_run_time:%Y-%m-%d %H:%M %Z} was missed")
            self._late(name)

    def _late(self, name: str) -> None:
        if self._plan.jobs[name].missed == "run":
            self._say(f"{name}: run late, once")
            self.fire(name)
        else:
            self._note(name, "missed runs are skipped, as the plan says")

    def _next(self, name: str) -> datetime:
        found: datetime | None = self._plan.trigger(name).get_next_fire_time(None, datetime.now(UTC))
        return found or datetime.max.replace(tzinfo=UTC)

    def _note(self, name: str, sentence: str) -> None:
        """Say it, and keep it over a restart."""
        self._say(f"{name}: {sentence}")
        self._state[name] = {"due": datetime.now(UTC).isoformat(timespec="seconds"), "outcome": sentence}
        try:
            _write_state(self._state_path, self._state)
        except OSError as error:
            self._say(
                f"{error.filename or self._state_path} cannot be written ({error.strerror}): runs that are missed "
                "while nothing runs here will not be noticed; name a file with --state"
            )


def _fields(name: str, job: JobPlan, place: int) -> list[tuple[str, str]]:
    identity = f"{name}-{datetime.now(UTC):%Y%m%dT%H%M%S}-{place + 1}"
    fields = [("project", job.project), ("spider", job.spider), ("jobid", identity)]
    fields += [(key, str(value)) for key, value in job.arguments.items()]
    return fields + [("setting", f"{key}={value}") for key, value in job.settings.items()]


def _times_between(trigger: CronTrigger, start: datetime, end: datetime) -> int:
    """How often it was due after `start` and until `end`, at most `_MOST_COUNTED`."""
    count, last = 0, start
    while count < _MOST_COUNTED:
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


def _read_state(path: Path) -> dict[str, dict[str, Any]]:
    try:
        found: dict[str, dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found
