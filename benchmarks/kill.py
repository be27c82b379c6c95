"""kill -9 at random moments of a crawl of real sites, started again each time: what is lost, what is fetched twice.

python -m benchmarks.kill --kills 5
"""

import argparse
import os
import random
import signal
import sqlite3
import subprocess
import tempfile
import time
from collections import Counter
from pathlib import Path

from crawler.frontier.local.sqlite import SqliteFrontier
from testbed.served_web import REPOSITORY, ServedWeb, add_arguments, crawl_command, run_measured, served


def main() -> None:
    """Prints what an undisturbed and a killed crawl have stored."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser)
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--part", default="zh", choices=("zh", "en", "all"), help="whose home pages are the seeds")
    parser.add_argument("--seed", type=int, default=None, help="of the random moments (default: another each time)")
    parser.add_argument("--work", type=Path, help="folder for data and logs (default: a temporary one)")
    options = parser.parse_args()
    if options.work:
        options.work.mkdir(parents=True, exist_ok=True)
        _measure(options, options.work)
    else:
        with tempfile.TemporaryDirectory() as work:
            _measure(options, Path(work))


def _measure(options: argparse.Namespace, work: Path) -> None:
    with served(options, work) as web:
        calm = work / f"calm-{time.monotonic_ns()}"
        run = run_measured(crawl_command(calm, web.seeds(options.part)), calm, web.address, calm / "log", REPOSITORY)
        expected = _stored(calm)
        _line("undisturbed", web, expected, run.exit_code)
    chance = random.Random(options.seed)
    moments = sorted(chance.uniform(0.05, 0.95) for _ in range(options.kills))
    with served(options, work) as web:
        killed = work / f"killed-{time.monotonic_ns()}"
        command = crawl_command(killed, web.seeds(options.part))
        for share in moments:
            _kill_at(command, web, killed, int(share * len(expected)))
        run = run_measured(command, killed, web.address, killed / "log", REPOSITORY)
        found = _stored(killed)
        _line(f"killed {options.kills} times", web, found, run.exit_code)
    lost, gained = expected - found, found - expected
    print(f"killed at {', '.join(f'{share:.0%}' for share in moments)} of the pages")
    print(f"lost: {len(lost)}; found besides: {len(gained)}; frontier: {_accounts(killed)}")
    for url in sorted(lost)[:20]:
        print(f"  lost: {url}")


def _kill_at(command: list[str], web: ServedWeb, folder: Path, pages: int) -> None:
    """Start, wait until `pages` requests were made in total, and kill."""
    environment = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    with (folder / "log").open("ab") as output:
        process = subprocess.Popen(
            command,
            cwd=REPOSITORY,
            env=environment | {"http_proxy": web.address},
            stdout=output,
            stderr=output,
        )
    while process.poll() is None and len(web.fetched()) < pages:
        time.sleep(0.3)
    process.send_signal(signal.SIGKILL)
    process.wait()


def _stored(folder: Path) -> set[str]:
    database = sqlite3.connect(folder / "crawl.db")
    found = {url for (url,) in database.execute("select url from pages")}
    database.close()
    return found


def _line(name: str, web: ServedWeb, stored: set[str], exit_code: int) -> None:
    fetched = Counter(web.fetched())
    twice = sum(count - 1 for count in fetched.values())
    print(f"{name:18} exit {exit_code}: {len(stored)} pages stored, {len(fetched)} fetched, {twice} of them again")


def _accounts(folder: Path) -> str:
    frontier = SqliteFrontier(next((folder / "frontier").glob("*.db")))
    accounts = frontier.accounts()
    frontier.close()
    return f"{accounts.queued} queued, {accounts.leased} leased, {accounts.done} done, {accounts.dead} dead"


if __name__ == "__main__":
    main()
