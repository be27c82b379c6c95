"""Every attack and whether the crawl holds: `python -m benchmarks.attacks [NAME ...]`; exit code 1 if one does not.

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
from benchmarks.attacks import SKIPPED


def main(names: list[str]) -> int:
    """Run the named attacks, or all; returns the exit code."""
    found = sorted(module.name for module in iter_modules(benchmarks.attacks.__path__) if module.name != "__main__")
    if unknown := set(names) - set(found):
        print(f"There is no attack {min(unknown)}. There are: {', '.join(found)}.", file=sys.stderr)
        return 2
    failed = 0
    for name in names or found:
        module, begun = import_module(f"benchmarks.attacks.{name}"), time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            result = module.attack(Path(folder))
        seconds, what = time.monotonic() - begun, (module.__doc__ or name).splitlines()[0]
        state = "holds" if not result else SKIPPED if result.startswith(SKIPPED) else "FAILS"
        failed += state == "FAILS"
        print(f"{state:<7}  {name:<20} {seconds:6.1f} s  {what}  {result}".rstrip(), flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks.attacks", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("names", nargs="*", metavar="NAME", help="attacks to run, such as disk_full; default: all")
    sys.exit(main(parser.parse_args().names))
