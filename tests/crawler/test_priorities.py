"""The two frontiers compare hosts by the same step."""

import re
from importlib import resources

from crawler.priorities import BAND


def test_the_shared_frontier_has_the_same_band() -> None:
    script = (resources.files("crawler.frontier.shared") / "lua" / "common.lua").read_text(encoding="utf-8")
    found = re.search(r"local BAND, .* = (\d+),", script)
    assert found is not None
    assert int(found[1]) == BAND
