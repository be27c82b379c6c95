"""`scrapy settings`: the settings in force and where each comes from; Scrapy's own options as they are."""

import argparse
import os
import re
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from scrapy.commands.settings import Command as ScrapySettings
from scrapy.settings import SETTINGS_PRIORITIES, BaseSettings

from crawler.command_line import QuietCommand
from crawler.config import shown
from crawler.config.given_settings import ENVIRONMENT_PRIORITY, PREFIX
from crawler.printed_tables import print_table

_MAX_SHOWN_CHARS = 100
_SECRET = re.compile(r"PASSWORD|SECRET|ACCESS_KEY|LLM_KEY|TOKEN")
_LOGIN_IN_URL = re.compile(r"(://)[^/@\s]+@")
_GETS = ("get", "getbool", "getint", "getfloat", "getlist")


class Command(QuietCommand, ScrapySettings):
    """Scrapy's command, which prints one value; without its options, a table of the settings and their sources."""

    examples = (
        "scrapy settings                        the settings that differ from Scrapy's own",
        "scrapy settings WATCH CONSOLE_PORT     those whose names contain a word",
        "scrapy settings --get STORE            one value, for scripts",
        "TOPICRAWL_CONSOLE_PORT=9000 scrapy settings CONSOLE_PORT",
    )
    usage = "[options] [WORD…]"
    summary = "Show the settings in force and where they come from, or one value"
    takes_arguments = True

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if any(getattr(opts, name) for name in _GETS):
            super().run(args, opts)
            return
        with self.reporting(OSError):
            rows = list(self._rows([word.upper() for word in args]))
            if rows:
                print_table(("setting", "value", "from"), rows)
            else:
                self.fail(f"no setting has {' or '.join(args)} in its name; scrapy settings lists those in force")

    def _rows(self, words: list[str]) -> Iterator[tuple[str, str, str]]:
        for name in sorted(self.values):
            priority = self.values.getpriority(name) or 0
            if any(word in name for word in words) if words else priority > 0:
                yield name, shown_value(name, self.values[name]), shown(_source(self.values, name, priority))


def shown_value(name: str, value: Any) -> str:
    """A value as text of a bounded length, without what logs in."""
    if _SECRET.search(name) and value:
        return shown("(hidden)")
    text = str(dict(value) if isinstance(value, BaseSettings) else value)
    text = _LOGIN_IN_URL.sub(r"\1…@", re.sub(r"('password': )'[^']*'", r"\1'…'", text))
    return text if len(text) <= _MAX_SHOWN_CHARS else f"{text[:_MAX_SHOWN_CHARS]}…"


def _source(settings: BaseSettings, name: str, priority: int) -> str:
    if priority == ENVIRONMENT_PRIORITY:
        return f"environment: {PREFIX}{name}"
    if priority == SETTINGS_PRIORITIES["project"]:
        return _module(name, settings[name])
    words = {number: word for word, number in SETTINGS_PRIORITIES.items()}
    named = {"cmdline": "-s, or an option of the command", "default": "Scrapy", "command": "this command"}
    word = words.get(priority, "code")
    return named.get(word, word)


def _module(name: str, value: Any) -> str:
    """The project's module or, if that has the value from it, the variable of the environment or `settings.base`."""
    if os.environ.get(name) and os.environ[name] == str(value):
        return f"environment: {name}"
    own = os.environ.get("SCRAPY_SETTINGS_MODULE", "settings.base")
    inherited = vars(import_module("settings.base")).get(name)
    return "settings.base" if inherited is not None and inherited == value else own
