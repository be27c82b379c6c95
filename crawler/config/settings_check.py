"""Checks settings before a command starts: unknown names on the command line, and values of the wrong type or range."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches

from scrapy.settings import BaseSettings

from crawler.config.yaml_file import time_zone

_MAX_SHOWN_CHARS = 60


class SettingError(ValueError):
    """A setting is unknown or invalid; the message has its name, its value and what is expected."""


@dataclass(frozen=True, slots=True)
class _NumericSetting:
    """Numbers in a range."""

    least: float = 0.0
    most: float = math.inf
    is_whole: bool = False

    @property
    def expected(self) -> str:
        kind = "a whole number" if self.is_whole else "a number"
        if self.most < math.inf:
            return f"{kind} from {self.least:g} to {self.most:g}"
        return f"{kind} of at least {self.least:g}"

    def accepts(self, value: object) -> bool:
        try:
            number = int(str(value)) if self.is_whole else float(str(value))
        except ValueError:
            return False
        return not isinstance(value, bool) and math.isfinite(number) and self.least <= number <= self.most


@dataclass(frozen=True, slots=True)
class _Choice:
    """One of several words."""

    words: tuple[str, ...]

    @property
    def expected(self) -> str:
        return f"one of {', '.join(self.words)}"

    def accepts(self, value: object) -> bool:
        return str(value) in self.words


@dataclass(frozen=True, slots=True)
class _ZoneName:
    """The name of a time zone."""

    expected: str = "a time zone such as Asia/Shanghai"

    def accepts(self, value: object) -> bool:
        try:
            return bool(time_zone(str(value)))
        except ValueError:
            return False


_NON_NEGATIVE, _ZERO_TO_ONE, _WHOLE, _POSITIVE_WHOLE = (
    _NumericSetting(),
    _NumericSetting(most=1),
    _NumericSetting(is_whole=True),
    _NumericSetting(least=1, is_whole=True),
)
_SECONDS_ABOVE_0 = _NumericSetting(least=0.01)
_FLAG = _Choice(("True", "False", "true", "false", "1", "0"))
_KINDS: dict[_NumericSetting | _Choice | _ZoneName, str] = {
    _NON_NEGATIVE: """BAN_BACKOFF BAN_MAX_WAIT DOWNLOAD_DELAY FRONTIER_HOST_DELAY FRONTIER_MAX_WAIT
        HOURS_MAX_WAIT LOGIN_BACKOFF LOGSTATS_INTERVAL LOG_FILE_MAX_MB
        MAX_IDLE_TIME_BEFORE_CLOSE
        METASEARCH_REPEAT_DAYS PROXY_BACKOFF PROXY_MAX_WAIT RETRY_DELAY RETRY_DELAY_MAX
        ROBOTS_CRAWL_DELAY_MAX ROBOTS_RETRY_SECONDS STALL_SECONDS STORE_MAX_WAIT TITLES_WINDOW_DAYS
        WATCH_MIN_INTERVAL""",
    _SECONDS_ABOVE_0: """
        CONSOLE_SESSION_HOURS DNS_TIMEOUT DOCUMENT_TIMEOUT DOWNLOAD_TIMEOUT
        PROGRESS_SECONDS
        PROXY_REFRESH_INTERVAL RENDER_TIMEOUT TOPIC_RELOAD_SECONDS
        WATCH_HOST_REQUESTS_MAX WATCH_HOST_REQUESTS_PER_HOUR WATCH_REQUESTS_PER_HOUR""",
    _ZERO_TO_ONE: "TITLES_LOWER_THRESHOLD TITLES_THRESHOLD WATCH_BACKLOG_SHARE WATCH_RECHECK_SHARE",
    _WHOLE: """CONCURRENT_REQUESTS_PER_DOMAIN DISK_RESERVE DOWNLOAD_MAXSIZE DOWNLOAD_MAX_HEADERS DOWNLOAD_WARNSIZE
        METASEARCH_SITE_BUDGET REDIRECT_MAX_TIMES
        TOPIC_LEARN_PAGES URLLENGTH_LIMIT""",
    _POSITIVE_WHOLE: """CONCURRENT_ITEMS CONCURRENT_REQUESTS DOCUMENT_MAX_PAGES DOCUMENT_MEMORY_MAX FRONTIER_HOST_CONCURRENCY
        METASEARCH_MAX_QUERIES METASEARCH_SITE_PAGES RENDER_CONCURRENCY RENDER_MAXSIZE
        RENDER_MEMORY_MAX SITE_MAX_DEPTH SITE_MAX_PAGES_PER_HOST SITE_MAX_PARTS
        SITE_MAX_THREAD_PAGES WARC_FILE_BYTES """,
    _NumericSetting(least=120): "FRONTIER_LEASE_SECONDS",
    _NumericSetting(least=0, most=256, is_whole=True): "FRONTIER_PARTS",
    _NumericSetting(most=65_535, is_whole=True): "CONSOLE_PORT METRICS_PORT",
    _FLAG: """AJAXCRAWL_ENABLED ALLOW_PRIVATE_ADDRESSES ANALYSIS_ENABLED AUTOTHROTTLE_ENABLED BANS_ENABLED COOKIES_ENABLED
        DISCUSSION_ENABLED FRONTIER_PER_ADDRESS HTTPERROR_ALLOW_ALL KEEP_MARKDOWN
        KEEP_SOURCE LOG_SHORT_NAMES MEMUSAGE_ENABLED METAREFRESH_ENABLED
        REDIS_CLUSTER REDIS_START_URLS_AS_SET REDIS_START_URLS_AS_ZSET REFERER_ENABLED REMOTE_CONTROL_ENABLED RENDER_SANDBOX
        RETRY_ENABLED ROBOTSTXT_OBEY SCHEDULER_FLUSH_ON_START SCHEDULER_PERSIST SITE_MEMORY TELNETCONSOLE_ENABLED
        TITLES_COMPARE_BODIES TITLES_COMPARE_LETTERS TITLES_COMPARE_NUMBERS TITLES_ENABLED WARC_SECRETS""",
    _Choice(("auto", "rjieba", "jieba")): "SEGMENTER",
    _ZoneName(): "TIME_ZONE",
    _Choice(("CRITICAL", "ERROR", "WARNING", "INFO", "DEBUG", "NOTSET")): "LOG_LEVEL",
}
CHECKED = {name: kind for kind, names in _KINDS.items() for name in names.split()}
"""The expected values of each setting that is a number, a flag, a choice or a time zone."""
OPTIONAL_NAMES = frozenset(
    """FRONTIER_LEASE_SECONDS FRONTIER_PARTS MAX_IDLE_TIME_BEFORE_CLOSE REDIS_CLUSTER REDIS_DB REDIS_PARAMS REDIS_PREFIX
    REDIS_SENTINELS REDIS_SENTINEL_MASTER REDIS_SENTINEL_PARAMS REDIS_START_URLS_AS_SET REDIS_START_URLS_AS_ZSET REDIS_START_URLS_KEY
    REDIS_URL SCHEDULER_DUPEFILTER_KEY SCHEDULER_FLUSH_ON_START SCHEDULER_PERSIST SCHEDULER_QUEUE_KEY""".split()
)
"""Settings of cluster nodes, without a default on a single machine."""


def known_names(settings: BaseSettings) -> set[str]:
    """All names of settings, Scrapy's and ours. Call it before the command line is applied."""
    return {*settings, *OPTIONAL_NAMES, *CHECKED}


def check_settings(settings: BaseSettings, given: Iterable[str], known: set[str]) -> None:
    """Raises SettingError for the first mistake.

    Args:
        given: names on the command line. An unknown one is refused only if it looks like one of `known`: a project may
            have its own settings.
    """
    for name in given:
        if name not in known and (similar := _similar(name, known)):
            raise SettingError(f"There is no setting {name}. Did you mean {similar}?")
    for name, kind in CHECKED.items():
        value = settings.get(name)
        if value is not None and not kind.accepts(value):
            raise SettingError(f"{name} must be {kind.expected}, not {str(value)[:_MAX_SHOWN_CHARS]!r}.")


def _similar(name: str, known: set[str]) -> str:
    """The most similar known name; else, for a name with our first word, the most similar one with that word."""
    found = get_close_matches(name.upper(), known, 1, 0.8)
    if not found:
        prefix = name.upper().partition("_")[0] + "_"
        family = [each for each in CHECKED if each.startswith(prefix)] if "_" in name else []
        found = get_close_matches(name.upper(), family, 1, 0.0)
    return found[0] if found else ""
