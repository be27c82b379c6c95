"""Lists that crawls read: how each stands, and its last good answer beside the bad one."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from scrapy.settings import BaseSettings

from console.frame.paging import Cursor, Part, in_order, part
from pipelines.stores.base import Condition, MutableRow, Order, Store
from pipelines.stores.watch_tables import LIST_STATES
from pipelines.zstd import Zstd

STATES = ("layout_changed", "unreadable", "read")
_ROWS_SHOWN, _MAX_COUNTED, _MAX_SHOWN_CHARS, _MAX_ANSWER_BYTES = 25, 1_000, 3_000, 600_000
_TRY_SECONDS = 90.0
_PASSED_ON = ("ALLOW_PRIVATE_ADDRESSES", "TOPICRAWL_SETTINGS_DIR", "USER_AGENT", "ROBOTSTXT_OBEY")
"""Settings of the console that a try in another process needs."""
_COLUMNS = ("key", "url", "source", "host", "state", "reason", "read_at", "good_at", "changed_at", "items")
_BY_KEY = [Order("key")]
_zstd = Zstd(3)


def lists(store: Store, state: str, after: Cursor = ()) -> Part:
    """The next lists with this state."""
    rows = in_order(store, LIST_STATES, [Condition("state", "=", state)], _BY_KEY, after, _COLUMNS)
    return part(rows, _BY_KEY, size=_ROWS_SHOWN)


def counts(store: Store) -> Mapping[str, int]:
    """Lists by state, each counted up to 1,000."""
    return {state: store.count(LIST_STATES, [Condition("state", "=", state)], _MAX_COUNTED) for state in STATES}


def answers(store: Store, key: str) -> MutableRow | None:
    """A list with its good and its bad answer as text, both cut; None for an unknown one."""
    row = store.get(LIST_STATES, key)
    if row is None:
        return None
    shown = {name: row[name] for name in _COLUMNS}
    return shown | {name: _text(row[name]) for name in ("good", "bad")}


def _text(frame: bytes | None) -> str:
    if not frame:
        return ""
    try:
        return _zstd.decompress(frame, _MAX_ANSWER_BYTES).decode("utf-8", "replace")[:_MAX_SHOWN_CHARS]
    except ValueError:
        return ""


def tried(settings: BaseSettings, url: str, like: Sequence[str], save: str = "") -> dict[str, Any]:
    """The result of `scrapy source try` for an address: items, recipe, fault. `save` is the name of the recipe's file."""
    words = [sys.executable, "-m", "scrapy", "source", "try", url, "--json", *(f"--like={title}" for title in like)]
    words += [f"--save={save}"] if save else []
    words += [word for name in _PASSED_ON if settings.get(name) for word in ("-s", f"{name}={settings[name]}")]
    english = {**os.environ, "TOPICRAWL_LANG": "en"}  # a fault is translated for the reader
    try:
        done = subprocess.run(words, capture_output=True, timeout=_TRY_SECONDS, check=False, env=english)
    except (OSError, subprocess.TimeoutExpired):
        return {"items": [], "recipe": "", "fault": "no answer in time", "is_saved": False}
    said = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
    lines = done.stdout.decode("utf-8", "replace").splitlines()
    found: dict[str, Any] = json.loads(lines[0]) if lines and lines[0].startswith("{") else {"items": [], "recipe": ""}
    fault = found.get("fault") or ("" if done.returncode == 0 else " ".join(said)[:500])
    items = [
        {name: item.get(name) for name in ("url", "title", "time", "author")} for item in found["items"][:_ROWS_SHOWN]
    ]
    return {
        "items": items,
        "count": len(found["items"]),
        "recipe": found["recipe"],
        "fault": fault,
        "is_saved": bool(save) and done.returncode == 0,
    }
