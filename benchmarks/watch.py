"""How soon a watch finds what is new on a living web, beside small policies that know where the lists are.

    python -m benchmarks.watch --seed 11 --per-hour 1000            the table (six virtual hours of learning, then a day)
    python -m benchmarks.watch --seed 11 --quick --hours 18         sooner, and less exact
    python -m benchmarks.watch --seed 11 --quick --draw             mean6 against the budget
    python -m benchmarks.watch --seed 11 --quick --alone --hours 36 --further   daily papers and running reports too, and a table of kinds
    python -m benchmarks.watch --scale                              seconds a request and memory with 2,000 sources

Delays are virtual minutes from publication to the first fetch of the page that has it; mean6 is the mean of min(delay, 6 hours).
"""

import argparse
import resource
import time
from collections.abc import Iterator
from typing import Any

from benchmarks.living import WatchPolicy, run, simulator, world_of
from benchmarks.watch_baselines import Baseline, alike, entry_frequency, nutch, true_rates
from crawler.watching.answers import Listed, Listing, VisitAnswer
from crawler.watching.visits import WatchOptions
from crawler.watching.watch import Watch

_BASELINES: dict[str, tuple[Any, bool]] = {
    "lists, all alike": (alike, False),
    "Nutch's rule": (nutch, False),
    "entry frequency": (entry_frequency, False),
    "index rule, true rates": (true_rates, True),
}
_UNSCORED = 12
_HEAD = (
    "policy",
    "median",
    "p90",
    "mean6",
    "site",
    "<=10min",
    "<=1h",
    "never",
    "replies",
    "fixed6h",
    "a find",
    "traps",
    "429",
)


def main() -> None:
    """Print what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=11, help="of the web")
    parser.add_argument("--per-hour", type=float, default=1_000.0, help="requests a virtual hour")
    parser.add_argument(
        "--hours", type=float, default=30.0, help="virtual hours, of which the first six are for learning"
    )
    parser.add_argument("--quick", action="store_true", help="boards are not read: the simulator says what they show")
    parser.add_argument("--alone", action="store_true", help="without the other policies")
    parser.add_argument("--further", action="store_true", help="kinds of benchmarks.living_kinds too; a table of kinds")
    parser.add_argument("--draw", action="store_true", help="mean6 against the budget")
    parser.add_argument("--scale", action="store_true", help="cost of scheduling with 2,000 sources")
    asked = parser.parse_args()
    if asked.hours <= _UNSCORED:
        parser.error(f"--hours: more than {_UNSCORED}, as the first and the last six hours are not scored")
    if asked.scale:
        _scale()
    elif asked.draw:
        _draw(asked)
    else:
        _table(asked)


def _row(name: str, world: Any, policy: Any, asked: argparse.Namespace) -> None:
    log = run(world, policy, asked.hours)
    found = _score(world, log)
    print(("{:24}" + "{:>9}" * 12).format(name, *("-" if value is None else value for value in found)), flush=True)
    for line in _kinds(world, log) if asked.further else ():
        print(line, flush=True)


def _kinds(world: Any, log: list[Any]) -> Iterator[str]:
    """For each kind of sites the number of things, median and mean6 of their delays, and the share found within six hours."""
    result = simulator("score_living").score(log, world, 6.0)
    named = ("n", "median", "mean6", "in_6h", "never")
    form = "    {:16}{:12}" + "{:>9}" * len(named)
    yield form.format("kind", "what", *named)
    for group in [name for name in result if name.startswith("kind:")] + ["quirk:partial"]:
        for what, found in result.get(group, {}).items():
            if found["n"]:
                values = (found[name] if found[name] is not None else "-" for name in named)
                yield form.format(group, what, *values)


def _table(asked: argparse.Namespace) -> None:
    print(("{:24}" + "{:>9}" * 12).format(*_HEAD))
    world = world_of(asked.seed, asked.hours, further=asked.further)
    policies = {"watch": WatchPolicy(world, asked.per_hour, quick=asked.quick)}
    if not asked.alone:
        made = {name: Baseline(world, asked.per_hour, value, best=best) for name, (value, best) in _BASELINES.items()}
        policies |= made  # type: ignore[arg-type]  # both are policies
    for name, policy in policies.items():
        _row(name, world, policy, asked)


def _score(world: Any, log: list[Any]) -> list[Any]:
    result = simulator("score_living").score(log, world, 6.0)
    of = result["all"]
    article, costs = of["article"], result["costs"]
    return [
        *(article[name] for name in ("median", "p90", "mean6")),
        result["per_site"]["mean6"],
        *(article[name] for name in ("in_10min", "in_1h", "never")),
        of.get("reply", {}).get("median"),
        of.get("correction", {}).get("in_6h"),
        costs["per_found"],
        costs["traps"],
        costs["too_many_429"],
    ]


def _draw(asked: argparse.Namespace) -> None:
    world = world_of(asked.seed, asked.hours)
    for per_hour in (150, 300, 600, 1_000, 2_000):
        log = run(world, WatchPolicy(world, per_hour, quick=asked.quick), asked.hours)
        mean6 = _score(world, log)[2]
        print(f"{per_hour:6} an hour  {mean6:6.1f} minutes  {'#' * round(mean6)}", flush=True)


_PAUSE = 0.02
"""Seconds between two looks whether a visit is due, with plenty of requests left: as the spider does."""


def _scale(hosts: int = 300, lists: int = 7, requests: int = 20_000) -> None:
    """Hosts with a home page and six lists, each with things of its own; of the requests the second half is measured.

    The processor's time is read four times and not for each request: where system calls are slow, reading it costs more than
    planning a visit.
    """
    watch, now = Watch(WatchOptions(per_hour=1e6, most_per_host=1e5, per_host=1e5)), 1e9
    for host in range(hosts):
        watch.start(f"http://h{host}.example/", now)
    now, _ = _run_requests(watch, now, lists, requests // 2)
    begin = time.process_time()
    now, asked = _run_requests(watch, now, lists, requests // 2)
    both = time.process_time()
    for url, moment in asked:
        _answer(url, moment, lists)
    spent = both - begin - (time.process_time() - both)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    sources = sum(source.state == "watched" for source in watch.sources.rows)
    print(f"{sources} sources of {hosts} hosts: {spent / len(asked) * 1e3:.3f} ms a request, {memory:.0f} MB in all")


def _run_requests(watch: Watch, now: float, lists: int, requests: int) -> tuple[float, list[tuple[str, float]]]:
    """The given number of visits with their answers; the moment after them, and address and moment of each."""
    asked: list[tuple[str, float]] = []
    while len(asked) < requests:
        now += _PAUSE
        while (visit := watch.next(now)) is not None and len(asked) < requests:
            watch.answered(visit, _answer(visit.url, now, lists), now)
            asked.append((visit.url, now))
    return now, asked


def _answer(url: str, now: float, lists: int) -> VisitAnswer:
    root = "/".join(url.split("/")[:3])
    if "/a/" in url or url.endswith(("robots.txt", "/feed/", ".xml")):
        return VisitAnswer(404)
    newest = int(now * 100) // 7_000
    items = tuple(Listed(f"{root}/a/{zlib_free(url)}{newest - n:08}.html", "t") for n in range(20))
    return VisitAnswer(200, Listing(items, tuple((f"{root}/{'bcdefgh'[n]}/", "list") for n in range(lists - 1))))


def zlib_free(url: str) -> int:
    """A small number that names a list within its host."""
    return sum(map(ord, url[-3:])) % 90 + 10


if __name__ == "__main__":
    main()
