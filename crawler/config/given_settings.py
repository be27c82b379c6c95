"""Checks `-s NAME=VALUE` and `TOPICRAWL_NAME=VALUE` of the environment before Scrapy reads them.

Scrapy's own messages name neither the setting nor the mistake.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping

from scrapy.settings import BaseSettings
from scrapy.utils.misc import load_object

from crawler.config.settings_check import SettingError

_PATH_OF_CLASS = re.compile(r"[a-z_]\w*(?:\.\w+)+")
_NO_CLASS = ("COMMANDS_MODULE", "REFERRER_POLICY")
_MAX_SHOWN_CHARS = 60
FROM_ENVIRONMENT = frozenset(
    """
    LLM_KEY LLM_MODEL LLM_URL LOGIN_SECRETS METRICS_ADDRESS METRICS_PORT MONGO_DATABASE MONGO_HOSTS MONGO_OPTIONS MONGO_PASSWORD
    MONGO_USER NODE_DIR NODE_MAX_JOBS NODE_STOP_SECONDS OPENSEARCH_URL PROXY_PASSWORD PROXY_USERNAME REDIS_CLUSTER
    REDIS_PASSWORD REDIS_PREFIX REDIS_SENTINELS REDIS_SENTINEL_MASTER REDIS_URL SCRAPYD_BIND_ADDRESS SCRAPYD_HTTP_PORT SCRAPYD_NODES
    SCRAPYD_PASSWORD SCRAPYD_USERNAME TOPICRAWL_COMPILED TOPICRAWL_SETTINGS_DIR TOPICRAWL_STORE""".split()
)
"""Variables that are read only from the environment, or that several settings derive from."""
PREFIX = "TOPICRAWL_"
"""Of the environment variable of a setting."""
ENVIRONMENT_PRIORITY = 25
"""Above the settings module and below `-s`."""
_NO_SETTINGS = ("COMPILED", "LANG", "SETTINGS_DIR", "SHARED")  # extension, language, where YAML files are, tests' pages
_OF_IDENTITIES = ("LOGIN_USERNAME_", "LOGIN_PASSWORD_")


def environment_pairs(environment: Mapping[str, str]) -> list[str]:
    """`NAME=VALUE` for each variable `TOPICRAWL_NAME` that is not empty: `docker compose` passes unset ones as empty texts."""
    names = (name.removeprefix(PREFIX) for name in environment if name.startswith(PREFIX))
    return [
        f"{name}={environment[PREFIX + name]}"
        for name in names
        if name not in _NO_SETTINGS and environment[PREFIX + name]
    ]


def check_given(settings: BaseSettings, given: Iterable[str]) -> None:
    """Raises SettingError for the first mistake: no name, no value, an invalid mapping or class.

    Args:
        settings: the defaults, before `given` is applied.
        given: texts `NAME=VALUE`.
    """
    for pair in given:
        name, equals, value = pair.partition("=")
        if not equals or not name.strip():
            raise SettingError(f"Write a setting as -s NAME=VALUE, not {_shown(pair)}.")
        default = settings.get(name)
        if isinstance(default, BaseSettings | dict):
            _check_mapping(name, value)
        elif isinstance(default, str) and _PATH_OF_CLASS.fullmatch(default) and name not in _NO_CLASS:
            _check_class(name, value, default)


def unknown_names(known: set[str], given: Iterable[str]) -> Iterator[str]:
    """A sentence for each name that is not a setting: an environment variable, or a name for the user's own extensions."""
    for name in dict.fromkeys(pair.partition("=")[0] for pair in given):
        if name in known:
            continue
        if name in FROM_ENVIRONMENT or name.startswith(_OF_IDENTITIES):
            yield f"-s {name} has no effect: set it in the environment, as {name}=… before the command."
        else:
            yield f"{name[:_MAX_SHOWN_CHARS]} is not a setting of Scrapy or of this project; only code of your own can read it."


def check_log_file(settings: BaseSettings) -> None:
    """Raises SettingError if LOG_FILE cannot be written."""
    if not (path := settings["LOG_FILE"]) or not settings.getbool("LOG_ENABLED"):
        return
    try:
        with open(path, "ab"):
            pass
    except (OSError, ValueError) as error:
        raise SettingError(
            f"LOG_FILE: {path} cannot be written: {getattr(error, 'strerror', None) or error}."
        ) from None


def _check_mapping(name: str, value: str) -> None:
    try:
        is_mapping = isinstance(json.loads(value), dict)
    except (ValueError, RecursionError):
        is_mapping = False
    if not is_mapping:
        raise SettingError(f'{name} must be a JSON object like {{"name": "value"}}, not {_shown(value)}.')


def _check_class(name: str, value: str, default: str) -> None:
    try:
        load_object(value)
    except (ImportError, NameError, TypeError, ValueError) as error:
        sentence = f"{name} must be the path of a class like {default}, not {_shown(value)}: {error}"
        raise SettingError(f"{sentence.rstrip('.')}.") from None


def _shown(value: str) -> str:
    return repr(value[:_MAX_SHOWN_CHARS])
