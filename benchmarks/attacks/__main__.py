"""Every attack and whether the crawl holds: `python -m benchmarks.attacks [--seed N] [NAME ...]`; exit code 1 if one does not.

What cannot be tried on a machine is skipped, with the reason.
"""

import argparse
import sys
import tempfile
import time
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import benchmarks.attacks
from benchmarks.attacks import HOLDS, SKIPPED, Trial


def main(names: list[str], trial: Trial) -> int:
    """Run the named attacks, or all; returns the exit code."""
    found = sorted(module.name for module in iter_modules(benchmarks.attacks.__path__) if module.name != "__main__")
    if unknown := set(names) - set(found):
        print(f"There is no attack {min(unknown)}. There are: {', '.join(found)}.", file=sys.stderr)
        return 2
    failed = 0
    for name in names or found:
        module, begun = import_module(f"benchmarks.attacks.{name}"), time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            result = module.attack(Path(folder), trial)
        seconds, what = time.monotonic() - begun, (module.__doc__ or name).splitlines()[0]
        state = next((each for each in (HOLDS, SKIPPED) if (result or HOLDS).startswith(each)), "FAILS")
        failed += state == "FAILS"
        print(f"{state:<7}  {name:<20} {seconds:6.1f} s  {what}  {result.removeprefix(HOLDS)}".rstrip(), flush=True)
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
