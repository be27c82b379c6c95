"""What a crawl is made of: `base` on one machine, `cluster` on many; YAML files for sites, engines and topics.

A package of another project that is also called `crawler` and comes first on Python's path would be taken for ours, and
fail with an error that names neither. Scrapy loads settings before anything else, so it is said here.
"""

from importlib.util import find_spec
from pathlib import Path

_HOME = Path(__file__).parent.parent


def _check_neighbours() -> None:
    """SystemExit with a sentence if `crawler`, `pipelines` or `extractors` is not the one beside this package."""
    for name in ("analysis", "crawler", "pipelines", "extractors"):
        spec = find_spec(name)
        found = next(iter(spec.submodule_search_locations or [str(spec.origin)])) if spec else "nothing"
        if Path(found).resolve() != (_HOME / name).resolve():
            raise SystemExit(
                f"{found} is imported as '{name}' in place of topicrawl's own {_HOME / name}: "
                "rename it, remove it from PYTHONPATH, or start commands from another folder."
            )


_check_neighbours()
