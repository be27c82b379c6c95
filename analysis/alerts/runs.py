"""Runs that fail, hang or have died: rules about the crawler itself."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from analysis.alerts.alert_rules import FailedRule, StalledRule
from analysis.alerts.occurrences import Look, Occurrence, Standing, going
from crawler.exit_status import CrawlResult, ExitCode
from pipelines.stores.base import Condition, Row, Store
from pipelines.stores.instant_columns import utc_text
from pipelines.stores.tables import RUNS

_DAY = timedelta(days=1)
_JOB_TIME = re.compile(r"-\d{8}T\d{6}-\d+$")
_MAX_RUN_AGE = timedelta(days=30)


def failed_look(store: Store, rule: FailedRule, since: datetime, until: datetime) -> Look:
    """One occurrence per failed job, from its first failure to its next successful run; and the number of jobs that fail now."""
    found = list(_failed(store, rule, since, until))
    return Look(found, Standing.of(going(found), 1))


def _failed(store: Store, rule: FailedRule, since: datetime, until: datetime) -> Iterator[Occurrence]:
    jobs: dict[str, list[Row]] = {}
    where = [Condition("finished", ">=", utc_text(since)), Condition("finished", "<=", utc_text(until))]
    for row in store.select(RUNS, where):
        if row["exit_code"] is not None and rule.spider in ("", row["spider"]):
            jobs.setdefault(_job(row), []).append(row)
    for job, rows in sorted(jobs.items()):
        yield from _failures(job, sorted(rows, key=lambda row: row["finished"]), until)


def _job(row: Row) -> str:
    """The job name, shared by all its runs."""
    return _JOB_TIME.sub("", row["job"] or "") or f"{row['spider']} {_target(row)}".strip()


def _target(row: Row) -> str:
    given = row["arguments"] or {}
    words = (given.get(name) for name in ("name", "topic", "url", "urls"))
    return str(next((word for word in words if word), ""))[:80]


def _failures(job: str, rows: list[Row], now: datetime) -> Iterator[Occurrence]:
    failed: list[Row] = []
    for row in rows:
        if CrawlResult(ExitCode(row["exit_code"]), "", "").is_failure:
            failed.append(row)
        elif failed:
            yield _failure(job, failed, _time(row["finished"]))
            failed = []
    if failed:
        yield _failure(job, failed, None if now - _time(failed[-1]["finished"]) < _DAY else now)


def _failure(job: str, failed: list[Row], end: datetime | None) -> Occurrence:
    first, last = failed[0], failed[-1]
    often = f"{len(failed)} runs" if len(failed) > 1 else "A run"
    text = f"{often} failed. The last at {last['finished']}: {last['sentence'] or last['reason']}"
    facts = {"job": job, "exit_code": last["exit_code"], "reason": last["reason"], "runs": len(failed)}
    began, noticed = _time(first["started"] or first["finished"]), _time(first["finished"])
    return Occurrence(job, began, noticed, end, float(len(failed)), f"Job failed: {job}", text, "", facts)


def stalled_look(store: Store, rule: StalledRule, since: datetime, until: datetime) -> Look:
    """Unfinished runs that are silent at `until`, as earlier silences are not stored; and the minutes of the longest silence."""
    limit = timedelta(minutes=rule.minutes)
    where = [Condition("finished", "=", None), Condition("seen", ">=", utc_text(until - _MAX_RUN_AGE))]
    found, longest = list[Occurrence](), timedelta()
    for row in store.select(RUNS, where):
        alive, moved = _time(row["seen"]), _time(row["moved_at"] or row["seen"])
        last = min(alive, moved)
        if last + limit < since:
            continue
        longest = max(longest, until - last)
        if until - last >= limit:
            found.append(_stall(row, last, limit, moved, until - alive >= limit))
    return Look(found, Standing.of(longest // timedelta(minutes=1), rule.minutes))


def _stall(row: Row, last: datetime, limit: timedelta, moved: datetime, died: bool) -> Occurrence:
    said = "its process has died or its machine is off" if died else "it is running but gets no response"
    text = f"No response since {moved:%Y-%m-%d %H:%M} UTC: {said}"
    facts = {"run": row["key"], "job": _job(row), "died": died}
    return Occurrence(row["key"], last, last + limit, None, 1.0, f"Crawl stalled: {_job(row)}", text, "", facts)


def _time(text: str) -> datetime:
    found = datetime.fromisoformat(text)
    return found if found.tzinfo else found.replace(tzinfo=UTC)
