"""A site that bans addresses, asked through real proxies of which some die: `python -m benchmarks.blocked`."""

import argparse
import shutil
import tempfile
from pathlib import Path

from testbed.banning_site import GRACE_SECONDS, crawl_banning_site


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=500)
    parser.add_argument("--quota", type=int, default=20, help="requests of an address in a window before it is banned")
    parser.add_argument("--window", type=float, default=6.0, help="seconds; 60 is the published minute")
    given = parser.parse_args()
    if not shutil.which("tinyproxy"):
        parser.exit(1, "tinyproxy is not installed: apt-get install tinyproxy\n")
    with tempfile.TemporaryDirectory() as name:
        site, crawl = crawl_banning_site(Path(name), given.pages, given.quota, given.window, die_after=given.pages // 3)
        print(f"pages stored                        {len(crawl.pages())} of {given.pages}")
        print(f"bans                                {site.bans}")
        print(f"requests of a banned address        {site.too_early} (later than {GRACE_SECONDS} s after its ban)")
        print(f"requests without a proxy            {site.direct}")
        print(f"seconds                             {crawl.seconds:.0f}")


if __name__ == "__main__":
    main()
