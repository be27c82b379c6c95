"""Every attack and whether the crawl holds: `python -m benchmarks.attacks [NAME ...]`; exit code 1 if one does not."""

import sys
import tempfile
import time
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import benchmarks.attacks


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
        failed += bool(result)
        what = (module.__doc__ or name).splitlines()[0]
        print(
            f"{'FAILS' if result else 'holds'}  {name:<20} {time.monotonic() - begun:5.1f} s  {what}  {result}".rstrip(),
            flush=True,
        )
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
