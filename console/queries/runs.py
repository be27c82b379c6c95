"""Runs, failed ones first, each compared with the five similar runs before it."""

import shlex
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from statistics import median
from typing import Any

from console.frame.paging import Cursor, Part, in_order, part
from pipelines.stores.base import Condition, MutableRow, Order, Store
from pipelines.stores.instant_columns import utc_text
from pipelines.stores.tables import RUNS

BY_START = [Order("started", True), Order("key", True)]
SILENT = timedelta(minutes=2)
"""Running crawls send a heartbeat every ten seconds."""
_DAY = timedelta(days=1)
_MAX_RECENT = 100
_MAX_RUNNING = 200
_ROWS_SHOWN = 25
_ALIKE = 5
_STATES = {0: "done", 3: "done", 4: "left"}
_FIRST = {"killed": 0, "failed": 1, "running": 2}
_MAX_SHOWN = 200
_NUMBERS = ("pages", "off_topic", "duplicates", "unchanged", "refused", "articles", "errors")
_MAX_VALUES = 100
_MAX_LISTED = 80


def run(store: Store, key: str, now: datetime) -> MutableRow | None:
    row = store.get(RUNS, key)
    return None if row is None else described(store, row, now)


def runs(store: Store, show: str, now: datetime, after: Cursor = ()) -> Part:
    """recent: of the last day, those that failed first, then those that run; running, failed, all: the latest first."""
    if show == "recent":
        return Part([described(store, row, now) for row in _recent(store, now)], "")
    if show == "running":
        found = Part([row for row in _running(store) if state(row, now) == "running"], "")
    elif show == "failed":
        found = _failed(store, now, after)
    else:
        found = part(
            in_order(store, RUNS, [Condition("started", ">", "")], BY_START, after), BY_START, size=_ROWS_SHOWN
        )
    return Part([described(store, row, now) for row in found.rows], found.after, found.looked, found.is_cut)


def _recent(store: Store, now: datetime) -> list[MutableRow]:
    since = Condition("started", ">=", utc_text(now - _DAY))
    failed = store.select(RUNS, [Condition("state", "=", "failed"), since], BY_START, _MAX_RECENT)
    rows = {row["key"]: row for row in (*store.select(RUNS, [since], BY_START, _MAX_RECENT), *failed, *_running(store))}
    return sorted(rows.values(), key=lambda row: _FIRST.get(state(row, now), 3))


def recent_numbers(store: Store, now: datetime) -> dict[str, dict[str, Any]]:
    """State, pages, articles, errors and rate of the runs of the last day, by key."""
    return {
        row["key"]: {"state": state(row, now), "rate": _rate(row)} | {name: row[name] for name in _NUMBERS}
        for row in _recent(store, now)
    }


def _running(store: Store) -> list[MutableRow]:
    return list(store.select(RUNS, [Condition("state", "=", "running")], [Order("started", True)], _MAX_RUNNING))


def _failed(store: Store, now: datetime, after: Cursor) -> Part:
    """Killed runs are few and come first."""
    killed = [] if after else [row for row in _running(store) if state(row, now) == "killed"]
    failed = [Condition("state", "=", "failed")]
    found = part(in_order(store, RUNS, failed, BY_START, after), BY_START, size=_ROWS_SHOWN)
    return Part([*killed, *found.rows], found.after, found.looked, found.is_cut)


def state(row: Mapping[str, Any], now: datetime) -> str:
    """running, killed (no heartbeat for two minutes), done, left or failed."""
    if not row["finished"]:
        return "running" if (row["seen"] or row["started"] or "") >= utc_text(now - SILENT) else "killed"
    code = row["exit_code"]
    return str(row["state"] or (_STATES.get(code, "failed") if code is not None else "done"))


def count_running(store: Store, now: datetime) -> int:
    return sum(state(row, now) == "running" for row in _running(store))


def troubled(store: Store, now: datetime, most: int) -> int:
    """The number of runs of the last day that failed or were killed."""
    since = Condition("started", ">=", utc_text(now - _DAY))
    failed = store.count(RUNS, [Condition("state", "=", "failed"), since], most)
    killed = sum(1 for row in _running(store) if state(row, now) == "killed" and row["started"] >= since.value)
    return min(most, failed + killed)


def described(store: Store, row: MutableRow, now: datetime) -> MutableRow:
    """With its state, seconds, pages a second, arguments as typed, and `before`: the five runs like it before it."""
    row["state"] = state(row, now)
    row["seconds"] = _seconds(row)
    row["rate"] = _rate(row)
    row["typed"] = arguments_of(row)
    row["command"] = shlex.join(command_of(str(row["spider"]), row["typed"])) if row["typed"] is not None else ""
    row["shown"] = [[name, value[:_MAX_SHOWN]] for name, value in _shown(row)]
    row["before"] = list(_before(store, row))
    row["compared"] = compared(row)
    return row


def _before(store: Store, row: Mapping[str, Any]) -> Iterator[MutableRow]:
    if not row["alike"] or not row["started"]:
        return
    where = [Condition("alike", "=", row["alike"]), Condition("started", "<", row["started"])]
    columns = ("key", "started", "finished", "seen", "state", "exit_code", *_NUMBERS, "reason", "sentence")
    for each in store.select(RUNS, where, [Order("started", True)], _ALIKE, columns):
        yield each | {"seconds": _seconds(each), "rate": _rate(each)}


def compared(row: Mapping[str, Any]) -> dict[str, Any] | None:
    """Pages of a run that has ended, and the rate of one that runs, against those like it: `values`, `own`, and the difference to
    their middle in per cent."""
    measure = "rate" if row["state"] == "running" else "pages"
    values = [each[measure] for each in row["before"] if each[measure] is not None]
    own = row[measure]
    if not values or own is None:
        return None
    middle = median(values)
    percent = round(100 * (own - middle) / middle) if middle else None
    return {"measure": measure, "own": own, "values": values, "percent": percent}


def _seconds(row: Mapping[str, Any]) -> float | None:
    try:
        end = datetime.fromisoformat(row["finished"] or row["seen"])
        return max(0.0, (end - datetime.fromisoformat(row["started"])).total_seconds())
    except (TypeError, ValueError):
        return None


def _rate(row: Mapping[str, Any]) -> float | None:
    """Pages read a second, kept or not."""
    seconds = _seconds(row)
    if not seconds or row["pages"] is None:
        return None
    return float(row["pages"] + (row["off_topic"] or 0) + (row["duplicates"] or 0)) / seconds


# -- arguments of runs - -----------------------------------------------------------------------------------------------

_TYPED = {
    "site": {"urls": "url", "allow": "allow", "max_pages": "max_pages", "depth": "depth", "topic": "topic", "crawl": "crawl"},
    "metasearch": {"topic": "topic", "engines": "engines", "pages": "pages", "since": "since", "language": "language",
                   "crawl": "crawl", "max_pages": "max_pages", "depth": "depth"},
    "watch": {"starts": "url", "topic": "topic", "crawl": "crawl"},
}  # fmt: skip


def arguments_of(row: Mapping[str, Any]) -> dict[str, str] | None:
    """The arguments to repeat the run; None if they name files or are too many."""
    given, names = row["arguments"] or {}, _TYPED.get(row["spider"] or "")
    if (
        names is None
        or not isinstance(given, dict)
        or given.get("terms")
        or (row["spider"] == "metasearch" and given.get("sites"))
    ):
        return None
    found = {}
    for name, typed in names.items():
        value = given.get(name)
        if isinstance(value, list):
            if len(value) > _MAX_VALUES:
                return None
            value = ",".join(map(str, value))
        if value:
            found[typed] = str(value)
    return found


def _shown(row: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    given = row["arguments"] if isinstance(row["arguments"], dict) else {}
    names = {name: name for name in given if name != "guessed"} if row["typed"] is None else _TYPED[row["spider"]]
    for name, typed in names.items():
        if given.get(name) and name != "crawl":
            yield typed, _brief(given[name])


def _brief(value: Any) -> str:
    """A long list as its first value and the number of others."""
    if not isinstance(value, list):
        return str(value)
    whole = ",".join(map(str, value[:_MAX_VALUES]))
    return whole if len(value) == 1 or len(whole) <= _MAX_LISTED else f"{value[0]} +{len(value) - 1}"


def command_of(spider: str, arguments: Mapping[str, Any]) -> list[str]:
    """The command line that starts the same crawl."""
    given = (part for name, value in arguments.items() for part in ("-a", f"{name}={value}"))
    return ["scrapy", "crawl", spider, *given]
