"""Detects sources without new items for much longer than their rates predict."""

from crawler.watching.sites import WatchedSite, WatchSource

MAX_EXPECTED_ITEMS = 6.0
"""Missing expected items that make a source silent; the chance of a false alarm is one in four hundred."""
_MIN_FIRST_SEEN = 5
"""Items that a source must have shown first before it can fall silent."""


def missed(site: WatchedSite, source: WatchSource, visited: float) -> float:
    """New items expected between the last one and the last visit, by the rate at the time of the last one."""
    if (
        source.state != "watched"
        or source.items_first_seen_here < _MIN_FIRST_SEEN
        or not source.last_new_at
        or visited <= source.last_new_at
    ):
        return 0.0
    return (visited - source.last_new_at) * source.last_new_rate * site.hourly_profile.mean(source.last_new_at, visited)
