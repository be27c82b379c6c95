"""Settings that have a new name: the old name is read for one more version, and the log says what to write instead."""

from importlib import import_module
from typing import Any

from scrapy.settings import BaseSettings

RENAMED = {
    "BANS": "BANS_BACKEND",
    "BANS_EXCHANGE": "BANS_SYNC_INTERVAL",
    "BAN_PATIENCE": "BAN_MAX_WAIT",
    "BAN_SECONDS": "BAN_BACKOFF",
    "BAN_SECONDS_MAX": "BAN_BACKOFF_MAX",
    "FRONTIER_PATIENCE": "FRONTIER_MAX_WAIT",
    "HOURS_PATIENCE": "HOURS_MAX_WAIT",
    "IDENTITIES": "IDENTITIES_BACKEND",
    "IDENTITIES_SYNC": "IDENTITIES_SYNC_INTERVAL",
    "LOGIN_REST": "LOGIN_BACKOFF",
    "LOGIN_REST_MAX": "LOGIN_BACKOFF_MAX",
    "PROXY_PATIENCE": "PROXY_MAX_WAIT",
    "PROXY_REFRESH": "PROXY_REFRESH_INTERVAL",
    "PROXY_REST": "PROXY_BACKOFF",
    "PROXY_REST_MAX": "PROXY_BACKOFF_MAX",
    "RENDER_BLOCKED": "RENDER_BLOCKED_TYPES",
    "RENDER_BYTES": "RENDER_MAXSIZE",
    "RENDER_MEMORY": "RENDER_MEMORY_MAX",
    "RENDER_PAGES": "RENDER_CONCURRENCY",
    "RENDER_QUIET": "RENDER_IDLE_SECONDS",
    "RENDER_RESTART": "RENDER_RESTART_PAGES",
    "RENDER_SECONDS": "RENDER_TIMEOUT",
    "STORE_WAIT": "STORE_MAX_WAIT",
    "STORE_WAITING_MEMORY": "STORE_BUFFER_BYTES",
    "TITLES_NUMBERS": "TITLES_COMPARE_NUMBERS",
    "TITLES_REACH": "TITLES_LOWER_THRESHOLD",
    "TITLES_WORDING": "TITLES_COMPARE_LETTERS",
}
"""Old name to new name."""
_SETTINGS_MODULES = ("settings.base", "settings.cluster")


def apply_old_names(settings: BaseSettings) -> list[str]:
    """Give each new name the value of its old name, where that was set and the new name was not.

    The value with the higher priority wins. At the same priority, which is how a project's module that builds on ours sets
    them, the old name wins over a default of ours and over nothing else. Calling it again changes nothing.

    Returns:
        One sentence for each old name that is set.
    """
    found = []
    for old, new in RENAMED.items():
        priority = settings.getpriority(old)
        if priority is None:
            continue
        known = settings.getpriority(new) or 0
        if priority > known or (priority == known and _is_default(new, settings[new])):
            settings.set(new, settings[old], priority)
        found.append(f"The setting {old} is now called {new}; the old name will not be read by the next version.")
    return found


def _is_default(name: str, value: Any) -> bool:
    return any(getattr(import_module(module), name, None) == value for module in _SETTINGS_MODULES)
