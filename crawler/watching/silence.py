"""Sources that have brought nothing for much longer than their rates allow."""

from crawler.watching.sites import WatchedSite, WatchSource

MAX_EXPECTED_ITEMS = 6.0
"""New items that were to be expected and did not come, from which on a source has fallen silent: by chance one in four hundred does."""
_MIN_FIRST_SEEN = 5
"""Things that a source has shown first, before it can fall silent."""


def missed(site: WatchedSite, source: WatchSource, visited: float) -> float:
    """How many new items were to be expected since the last one, up to the last visit, by the rate that the source had then."""
    if (
        source.state != "watched"
        or source.items_first_seen_here < _MIN_FIRST_SEEN
        or not source.last_new_at
        or visited <= source.last_new_at
    ):
        return 0.0
    return (visited - source.last_new_at) * source.last_new_rate * site.hourly_profile.mean(source.last_new_at, visited)
