"""Sources that have brought nothing for much longer than their rates allow."""

from crawler.watching.sites import Site, Source

SILENT = 6.0
"""New things that were to be expected and did not come, from which on a source has fallen silent: by chance one in four hundred does."""
_LEAST_TOLD = 5
"""Things that a source has told first, before it can fall silent."""


def missed(site: Site, source: Source, visited: float) -> float:
    """How many new things were to be expected since the last one, up to the last visit, by the rate that the source had then."""
    if source.state != "watched" or source.first_told < _LEAST_TOLD or not source.told_at or visited <= source.told_at:
        return 0.0
    return (visited - source.told_at) * source.told_rate * site.rhythm.mean(source.told_at, visited)
