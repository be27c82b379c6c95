"""What this project's commands share: examples in their help, and words that mean nothing are refused."""

import argparse
import os
import sys
from typing import Any, ClassVar

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError
from scrapy.settings import BaseSettings

from crawler.config.renamed_settings import apply_old_names


class CommandWithExamples(ScrapyCommand):
    """`examples` are the lines that end the help."""

    examples: ClassVar[tuple[str, ...]] = ()

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Scrapy's own options, and the examples."""
        super().add_options(parser)
        if self.examples:
            parser.formatter_class = argparse.RawDescriptionHelpFormatter
            parser.epilog = "Examples:\n" + "\n".join(f"  {line}" for line in self.examples)

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        """Scrapy's own; old names of settings are read too, and said on stderr."""
        super().process_options(args, opts)
        if self.settings is not None:
            for sentence in apply_old_names(self.settings):
                print(sentence, file=sys.stderr)


class QuietCommand(CommandWithExamples):
    """A command that crawls nothing: no reactor, no log unless asked for, results on stdout, sentences on stderr.

    `takes_words` tells whether words other than options are allowed.
    """

    requires_crawler_process = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}
    takes_words: ClassVar[bool] = False

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        """Refuse what no option is."""
        unknown = [word for word in args if word.startswith("-") or not self.takes_words]
        if unknown:
            raise UsageError(f"{' '.join(unknown)}: no such option; --help names those that there are")
        super().process_options(args, opts)

    @property
    def values(self) -> BaseSettings:
        """The settings in force."""
        if self.settings is None:
            raise RuntimeError("the command has no settings yet")
        return self.settings

    def fail(self, sentence: object, code: int = 1) -> None:
        """Say what is wrong, and end with this exit code."""
        print(sentence, file=sys.stderr)
        self.exitcode = code


class FetchingCommand(CommandWithExamples):
    """A command that asks hosts for something: results on stdout, and no log below `LOG_LEVEL` of its settings unless asked for."""

    default_settings: ClassVar[dict[str, Any]] = {"LOG_LEVEL": "ERROR"}

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        """A project's own level of the log is for crawls."""
        super().process_options(args, opts)
        if self.settings is not None and not opts.loglevel:
            self.settings.set("LOG_LEVEL", self.default_settings["LOG_LEVEL"], priority="cmdline")


def write_out(text: str) -> None:
    """Print; a reader that has gone, as `head` does, is no error."""
    try:
        print(text, flush=True)
    except BrokenPipeError:
        forget_stdout()


def forget_stdout() -> None:
    """Nothing more may be written, not even at the interpreter's end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
