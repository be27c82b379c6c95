"""Every attack and whether the crawl holds: `python -m benchmarks.attacks [--seed N] [NAME ...]`; exit code 1 if one does not.

What cannot be tried on a machine is skipped, with the reason. Each attack runs in a process of its own; the memory is that of the largest
process that it has started and seen end.
"""

import argparse
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pkgutil import iter_modules

import benchmarks.attacks
from benchmarks.attacks import HOLDS, SKIPPED, Trial, attacked


def main(names: list[str], trial: Trial) -> int:
    """Run the named attacks, or all; returns the exit code."""
    found = sorted(module.name for module in iter_modules(benchmarks.attacks.__path__) if module.name != "__main__")
    if unknown := set(names) - set(found):
        print(f"There is no attack {min(unknown)}. There are: {', '.join(found)}.", file=sys.stderr)
        return 2
    failed = 0
    with ProcessPoolExecutor(1, get_context("spawn"), max_tasks_per_child=1) as apart:
        for name in names or found:
            begun = time.monotonic()
            what, result, memory = apart.submit(attacked, name, trial).result()
            seconds = time.monotonic() - begun
            state = next((each for each in (HOLDS, SKIPPED) if (result or HOLDS).startswith(each)), "FAILS")
            failed += state == "FAILS"
            said = f"{what}  {result.removeprefix(HOLDS)}".strip()
            print(f"{state:<7}  {name:<20} {seconds:6.1f} s {memory:5} MB  {said}", flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks.attacks", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("names", nargs="*", metavar="NAME", help="attacks to run, such as disk_full; default: all")
    parser.add_argument("--seed", type=int, default=1, help="of the variations (default: 1)")
    parser.add_argument("--pages", type=int, default=100_000, help="of large stores (default: 100000)")
    parser.add_argument("--seconds", type=float, default=60.0, help="of long pressure (default: 60)")
    options = parser.parse_args()
    sys.exit(main(options.names, Trial(options.seed, options.pages, options.seconds)))
