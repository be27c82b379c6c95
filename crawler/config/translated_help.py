"""The help of commands in the reader's language: argparse's own words, descriptions, options and examples."""

import argparse
import sys
from argparse import Action, ArgumentParser
from collections.abc import Iterable
from typing import Any, NoReturn

from crawler.config.translation import shown


def translate_help(parser: ArgumentParser) -> None:
    """Its help, usage and errors are printed in the language of TOPICRAWL_LANG or the locale."""
    parser.formatter_class = _Formatter

    def error(message: str) -> NoReturn:
        parser.print_usage(sys.stderr)
        parser.exit(2, f"{parser.prog}: {shown('error')}: {shown(message)}\n")

    parser.error = error  # type: ignore[method-assign]  # Scrapy makes the parser, and gives it errors


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """Translates where a text is added, since options are declared after the parser is made."""

    def add_usage(
        self, usage: str | None, actions: Iterable[Action], groups: Iterable[Any], prefix: str | None = None
    ) -> None:
        whole = usage and usage.replace("[options]", shown("[options]"))
        super().add_usage(whole, actions, groups, shown("usage: ") if prefix is None else prefix)

    def start_section(self, heading: str | None) -> None:
        super().start_section(heading and shown(heading))

    def add_text(self, text: str | None) -> None:
        super().add_text(text and shown(text))

    def _get_help_string(self, action: Action) -> str:
        return shown(action.help or "")

    def _split_lines(self, text: str, width: int) -> list[str]:
        """Lines of at most `width` columns, of which a Chinese character takes two."""
        from rich.console import Console  # needed for help only
        from rich.text import Text

        return [line.plain for line in Text(" ".join(text.split())).wrap(Console(), width)]
