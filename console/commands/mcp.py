"""`scrapy mcp`: the database as tools for assistants, which only read unless they are allowed to act."""

import argparse

from scrapy.exceptions import UsageError

from crawler.command_line import QuietCommand
from pipelines.stores.base import StoreError

_PORT = 8766


class Command(QuietCommand):
    """Serves search, article, event, trend, why and runs over the Model Context Protocol, until interrupted."""

    examples = (
        "scrapy mcp                                  on standard input and output: what an assistant on this machine starts",
        "scrapy mcp --http                           at http://127.0.0.1:8766/mcp, with a token of scrapy console token NAME",
        "scrapy mcp --allow-actions anna             it may also start and stop crawls and mark pages, as far as anna's role goes",
        "scrapy mcp --http --allow-actions           the same as the account of each token with the scope decide",
        "scrapy mcp --http --host 0.0.0.0 --port 80  for other machines; put TLS before it",
    )
    usage = "[options]"
    summary = "Serve the database to assistants (Model Context Protocol)"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--http", action="store_true", help="serve over HTTP instead of standard input and output")
        parser.add_argument(
            "--allow-actions",
            nargs="?",
            const="",
            metavar="NAME",
            help="let it start and stop crawls and mark pages, as this account; over HTTP as that of the token",
        )
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: 127.0.0.1)")
        parser.add_argument("--port", type=int, default=_PORT, help=f"port (default: {_PORT})")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """The exit code is 1 if a package is missing or the store cannot be opened."""
        if args:
            raise UsageError("scrapy mcp takes options only; see --help", print_help=False)
        acts = opts.allow_actions is not None
        if acts and bool(opts.allow_actions) == opts.http:
            raise UsageError("--allow-actions needs the NAME of an account, but none with --http", print_help=False)
        try:
            import uvicorn

            from console.assistants.actions import account
            from console.assistants.mcp_server import http_app, make_server
            from console.config import read_config
            from console.frame.app_context import make_app_context
        except ImportError as error:
            self.fail(f"This needs more packages ({error.name}): pip install 'topicrawl[console,mcp]'")
            return
        try:
            with self.store() as store:
                app_context = make_app_context(store, self.values, read_config(self.values))
                if opts.http:
                    uvicorn.run(
                        http_app(app_context, opts.host, acts=acts),
                        host=opts.host,
                        port=opts.port,
                        log_level="warning",
                        server_header=False,
                    )
                else:
                    make_server(app_context, account(app_context, opts.allow_actions) if acts else None).run("stdio")
        except (StoreError, ValueError, OSError) as error:
            self.fail(error)
        except KeyboardInterrupt:
            self.fail("the server has stopped", 0)
