"""Settings that have a new name: the old name is read for one more version, and the log says what to write instead."""

from scrapy.settings import BaseSettings

RENAMED: dict[str, tuple[str, list[object]]] = {
    "BANS": ("BANS_BACKEND", ["local", "redis"]),
    "BANS_EXCHANGE": ("BANS_SYNC_INTERVAL", [2.0]),
    "BAN_PATIENCE": ("BAN_MAX_WAIT", [60.0]),
    "BAN_SECONDS": ("BAN_BACKOFF", [60.0]),
    "BAN_SECONDS_MAX": ("BAN_BACKOFF_MAX", [3600.0]),
    "FRONTIER_PATIENCE": ("FRONTIER_MAX_WAIT", [120.0]),
    "HOURS_PATIENCE": ("HOURS_MAX_WAIT", [86400.0]),
    "IDENTITIES": ("IDENTITIES_BACKEND", ["local", "redis"]),
    "IDENTITIES_SYNC": ("IDENTITIES_SYNC_INTERVAL", [30.0]),
    "LOGIN_REST": ("LOGIN_BACKOFF", [300.0]),
    "LOGIN_REST_MAX": ("LOGIN_BACKOFF_MAX", [86400.0]),
    "PROXY_PATIENCE": ("PROXY_MAX_WAIT", [120.0]),
    "PROXY_REFRESH": ("PROXY_REFRESH_INTERVAL", [600.0]),
    "PROXY_REST": ("PROXY_BACKOFF", [5.0]),
    "PROXY_REST_MAX": ("PROXY_BACKOFF_MAX", [300.0]),
    "RENDER_BLOCKED": ("RENDER_BLOCKED_TYPES", [["image", "media", "font", "texttrack", "manifest", "ping"]]),
    "RENDER_BYTES": ("RENDER_MAXSIZE", [20000000]),
    "RENDER_MEMORY": ("RENDER_MEMORY_MAX", [2000000000]),
    "RENDER_PAGES": ("RENDER_CONCURRENCY", [2]),
    "RENDER_QUIET": ("RENDER_IDLE_SECONDS", [0.4]),
    "RENDER_RESTART": ("RENDER_RESTART_PAGES", [500]),
    "RENDER_SECONDS": ("RENDER_TIMEOUT", [30.0]),
    "STORE_WAIT": ("STORE_MAX_WAIT", [120.0]),
    "STORE_WAITING_MEMORY": ("STORE_BUFFER_BYTES", [64000000]),
    "TITLES_NUMBERS": ("TITLES_COMPARE_NUMBERS", [True]),
    "TITLES_REACH": ("TITLES_LOWER_THRESHOLD", [0.74]),
    "TITLES_WORDING": ("TITLES_COMPARE_LETTERS", [True]),
}
"""Old name to new name, and the defaults of the new name on one machine and on a node."""


def apply_old_names(settings: BaseSettings) -> list[str]:
    """Give each new name the value of its old name, where that was set and the new name was not.

    The value with the higher priority wins. At the same priority, which is how a project's module that builds on ours sets
    them, the old name wins over a default of ours and over nothing else. Calling it again changes nothing.

    Returns:
        One sentence for each old name that is set.
    """
    found = []
    for old, (new, defaults) in RENAMED.items():
        priority = settings.getpriority(old)
        if priority is None:
            continue
        known = settings.getpriority(new) or 0
        if priority > known or (priority == known and settings[new] in defaults):
            settings.set(new, settings[old], priority)
        found.append(f"The setting {old} is now called {new}; the old name will not be read by the next version.")
    return found
