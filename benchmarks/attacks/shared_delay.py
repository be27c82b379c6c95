"""Three crawls, a watch and checks of robots.txt ask one host at once: together one request a second, on one machine and in a cluster.

The rate is that over any ten gaps: the moments of single requests vary with the load of the processes. The figures name the shortest gap.
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from itertools import pairwise
from pathlib import Path

from benchmarks.attacks import Trial, outcome
from testbed.crawling import REPOSITORY
from testbed.hostile import Connection, HostileWeb
from testbed.hostile.behaviours import article, links_to
from testbed.servers import NoServerError, redis_server

_HOSTS = ("pace-a.example", "pace-b.example")
_MAX_RATE = 1.05
_RUN = 10
_START_SECONDS = 10.0


def attack(folder: Path, trial: Trial) -> str:
    """For `trial.seconds` in each of both settings."""
    found = {"machine": _moments(folder / "machine", trial.seconds, {})}
    try:
        server = redis_server(folder / "redis").start()
    except NoServerError as error:
        print(error, file=sys.stderr)
    else:
        cluster = {"FRONTIER": "shared", "REDIS_URL": server.address}
        found["cluster"] = _moments(folder / "cluster", trial.seconds, cluster)
        server.stop()
    figures = ", ".join(f"{name}: {_figures(hosts)}" for name, hosts in found.items())
    rates = {name: max(map(_rate, hosts), default=0.0) for name, hosts in found.items()}
    return outcome(
        figures,
        *(f"{name}: more than {_MAX_RATE} requests a second" for name, rate in rates.items() if rate > _MAX_RATE),
        *(f"{name}: nothing was asked" for name, rate in rates.items() if rate < 0.5),
    )


def _moments(folder: Path, seconds: float, shared: Mapping[str, object]) -> list[list[float]]:
    """The moments of the requests to each host."""
    folder.mkdir(parents=True)

    def site(asked: Connection) -> None:
        number = int("".join(filter(str.isdigit, asked.path)) or 0)
        asked.answer(article(f"新闻{number}", links_to(*(f"/2026/{number * 3 + each}.html" for each in range(1, 4)))))

    with HostileWeb(dict.fromkeys(_HOSTS, site)) as web, ExitStack() as running:
        starts = folder / "sites.txt"
        starts.write_text("".join(f"http://{host}/\n" for host in _HOSTS))
        for number in range(3):
            running.enter_context(
                _process(
                    folder,
                    web,
                    shared,
                    f"site{number}",
                    "crawl",
                    "site",
                    "-a",
                    f"urls={starts}",
                    "-a",
                    f"crawl=c{number}",
                )
            )
        running.enter_context(_process(folder, web, shared, "watch", "crawl", "watch", "-a", f"sites={starts}"))
        until = time.monotonic() + _START_SECONDS + seconds
        while time.monotonic() < until:
            with _process(folder, web, shared, "doctor", "doctor", f"http://{_HOSTS[0]}/") as process:
                process.wait()
        return [[seen.at for seen in web.seen if seen.host == host] for host in _HOSTS]


@contextmanager
def _process(
    folder: Path, web: HostileWeb, shared: Mapping[str, object], name: str, *words: str
) -> "Iterator[subprocess.Popen[bytes]]":
    """One process of the machine, or with its own data folder one of the cluster."""
    data = folder / name if shared else folder
    data.mkdir(exist_ok=True)
    given = {"DATA_DIR": data, "STORE": f"sqlite:///{folder}/{name}.db", "TITLES_ENABLED": False, "METRICS_PORT": 0}
    command = [sys.executable, "-m", "scrapy", *words]
    command += [word for key, value in {**given, **shared}.items() for word in ("-s", f"{key}={value}")]
    environment = os.environ | {"http_proxy": web.address, "no_proxy": "127.0.0.1"}
    with (folder / f"{name}.log").open("ab") as log:
        process = subprocess.Popen(command, cwd=REPOSITORY, env=environment, stdout=log, stderr=log)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def _rate(moments: list[float]) -> float:
    """The most requests a second over any ten gaps."""
    inorder = sorted(moments)
    return max((_RUN / (last - first) for first, last in zip(inorder, inorder[_RUN:], strict=False)), default=0.0)


def _figures(hosts: list[list[float]]) -> str:
    gaps = sorted(after - before for moments in hosts for before, after in pairwise(sorted(moments)))
    early = sum(gap < 1 / _MAX_RATE for gap in gaps)
    return (
        f"{sum(map(len, hosts))} requests, at most {max(map(_rate, hosts)):.2f} a second over any ten gaps, shortest gap "
        f"{gaps[0] if gaps else 0.0:.2f} s, {early} of {len(gaps)} gaps under {1 / _MAX_RATE:.2f} s"
    )
