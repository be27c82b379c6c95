"""`topicrawl init FOLDER`: a folder to work in, for a topicrawl that pip has installed.

It gets a scrapy.cfg, a module for settings of one's own, and copies of the YAML files for sites, engines and topics. Files that
are there stay as they are.
"""

import argparse
import sys
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path, PurePosixPath

from crawler.config import shown, translate_help

_CFG = """[settings]
default = my_settings
cluster = my_cluster_settings

[deploy]
url = http://localhost:6800/
project = topicrawl
"""
_MODULE = '''"""Your settings; `scrapy settings` shows all that are in force, and docs/settings.md says what each means."""

from settings.{base} import *

# FRONTIER_HOST_DELAY = 2.0
'''


def new_files() -> Iterator[tuple[PurePosixPath, str]]:
    """Each file of a new folder, with its text."""
    yield PurePosixPath("scrapy.cfg"), _CFG
    yield PurePosixPath("my_settings.py"), _MODULE.format(base="base")
    yield PurePosixPath("my_cluster_settings.py"), _MODULE.format(base="cluster")
    yield from _declarations(files("settings"), PurePosixPath("settings"))


def _declarations(folder: Traversable, name: PurePosixPath) -> Iterator[tuple[PurePosixPath, str]]:
    for found in sorted(folder.iterdir(), key=lambda each: each.name):
        if found.is_dir():
            yield from _declarations(found, name / found.name)
        elif found.name.endswith((".yaml", ".txt")):
            yield name / found.name, found.read_text(encoding="utf-8")


def make_folder(folder: Path) -> int:
    """Write the files that are missing; their number. Raises OSError."""
    made = 0
    for name, text in new_files():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            path.write_text(text, encoding="utf-8")
            made += 1
    return made


def main(words: list[str] | None = None) -> int:
    """The command. Exit code 1 if the folder cannot be written."""
    parser = argparse.ArgumentParser("topicrawl", description="All other commands are Scrapy's: scrapy --help")
    translate_help(parser)
    commands = parser.add_subparsers(required=True, metavar="init")
    init = commands.add_parser("init", help="make a folder for crawls: scrapy.cfg, settings, YAML files")
    translate_help(init)
    init.add_argument("folder", type=Path, nargs="?", default=Path())
    folder = parser.parse_args(words).folder
    try:
        made = make_folder(folder)
    except OSError as error:
        print(shown(f"{folder} cannot be written: {error.strerror or error}"), file=sys.stderr)
        return 1
    print(
        shown(
            f"{made} files written in {folder.resolve()}. Go on there:\n  scrapy crawl site -a url=https://some.site/"
        )
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
