"""The status of a watch as lines and figures."""

from collections import Counter
from statistics import median

from crawler.watching.silence import MAX_EXPECTED_ITEMS, missed
from crawler.watching.watch import Watch


def live_lines(watch: Watch, now: float) -> list[str]:
    """Counts of sources, waiting pages, and pages found in the last hour."""
    states = Counter(source.state for source in watch.sources.rows)
    found = [delay for at, delay in watch.found if now - at <= 3_600]
    delay = f", {median(found):.0f} s after they were announced" if found else ""
    silent = len(silent_sources(watch))
    return [
        f"{states['watched']} sources of {len(watch.sources.sites)} sites, {_due(watch, now)} due, {states['new']} to be tried"
        f"{f', {silent} silent' if silent else ''}; {watch.pages.waiting()} new pages wait; "
        f"{len(found)} found in the last hour{delay}"
    ]


def figures(watch: Watch, now: float) -> dict[str, float]:
    """Numbers for statistics and metrics."""
    found = [delay for at, delay in watch.found if now - at <= 3_600]
    finds = sum(each.count for each in watch.finds.values())
    return {
        "sites": len(watch.sources.sites),
        "sources": sum(source.state == "watched" for source in watch.sources.rows),
        "due": _due(watch, now),
        "silent": len(silent_sources(watch)),
        "waiting": watch.pages.waiting(),
        "found_last_hour": len(found),
        "mean_delay_seconds": sum(found) / len(found) if found else 0.0,
        "requests_a_find": watch.requests / finds if finds else 0.0,
    }


def _due(watch: Watch, now: float) -> int:
    """The number of sources with the value of recently visited ones."""
    return watch.sources.queue.due(now, watch.sources.margin)


def silent_sources(watch: Watch) -> list[str]:
    """Addresses of sources without new items for much longer than their rates predict."""
    known = watch.sources
    return [
        source.url
        for source in known.rows
        if source.state == "watched"
        and missed(known.site_of(source.url), source, known.queue.visited(source.row)) > MAX_EXPECTED_ITEMS
    ]
