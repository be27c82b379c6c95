"""Sites behind a log-in whose sessions run out: `python -m benchmarks.login`."""

import argparse
import tempfile
from pathlib import Path

from testbed.login_crawl import keys_with_secrets, leaks, run_nodes
from testbed.login_sites import LoginWeb, Pages
from testbed.servers import ServerProcess, redis_server


def _report(name: str, site: Pages) -> None:
    print(f"{name:28}{len(site.served)} of {site.count} pages, {site.counts['expired']} sessions expired, ", end="")
    print(f"{site.counts['logins']} log-ins, {site.counts['left']} times logged out")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=300)
    parser.add_argument("--session", type=int, default=50, help="pages for which a session is good")
    parser.add_argument("--nodes", type=int, default=2)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, tempfile.TemporaryDirectory() as other:
        server: ServerProcess = redis_server(Path(other)).start()
        try:
            with LoginWeb(given.pages, given.session) as web:
                _table(Path(name), web, server.address, given.pages, given.nodes)
        finally:
            server.stop()


def _table(folder: Path, web: LoginWeb, address: str, pages: int, nodes: int) -> None:
    crawls = run_nodes(folder, web, address, nodes)
    _report("log-in by form", web.by_form)
    _report("sign-on over two hosts", web.by_sign_on)
    print(f"{'passwords sent to it':28}{web.by_sign_on.counts['passwords']}")
    stored = [crawl.pages() for crawl in crawls]
    print(
        f"{'pages stored':28}{len(set().union(*stored))} of {2 * pages} ({' + '.join(str(len(each)) for each in stored)})"
    )
    print(f"{'files with a secret':28}{', '.join(leaks(folder, web)) or 'none'}")
    print(f"{'keys in Redis with a secret':28}{', '.join(keys_with_secrets(address, web)) or 'none'}")
    print(f"{'seconds':28}{max(crawl.seconds for crawl in crawls):.0f}")


if __name__ == "__main__":
    main()
