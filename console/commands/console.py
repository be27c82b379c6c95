"""`scrapy console`: the web console, and its accounts."""

import argparse

from scrapy.exceptions import UsageError

from crawler.command_line import QuietCommand
from pipelines.stores.base import StoreError

_ACTIONS = ("adduser", "passwd", "role", "disable", "token")


class Command(QuietCommand):
    """Serves until interrupted, or manages an account."""

    takes_arguments = True
    examples = (
        "scrapy console                                  serve the database of the crawl; without accounts to this machine only",
        "scrapy console adduser ANNA --role admin        add an account: viewer, analyst or admin (asks for the password)",
        "scrapy console passwd ANNA                      set a new password; ends all sessions and tokens of ANNA",
        "scrapy console role ANNA --role analyst         change what ANNA may do",
        "scrapy console disable ANNA                     ANNA can no longer log in",
        "scrapy console token ANNA --scopes read,decide  print a new token for programs that use the JSON API",
        "SCRAPY_PROJECT=cluster scrapy console           on the database and the queue of the nodes",
    )
    usage = f"[{'|'.join(_ACTIONS)} NAME] [options]"
    summary = "Serve the web console, and manage its accounts"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--role", default="viewer", help="viewer, analyst or admin (default: viewer)")
        parser.add_argument("--scopes", default="read", help="of a token: read, or read,decide (default: read)")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if args and (args[0] not in _ACTIONS or len(args) != 2):
            raise UsageError(f"scrapy console {self.syntax()}")
        from console.service import run  # every call of scrapy imports this module, so Starlette is imported late

        try:
            run(self.values, args, opts)
        except (StoreError, ValueError, OSError) as error:
            self.fail(error)
        except KeyboardInterrupt:
            self.fail("the console has stopped; crawls continue", 0)
