"""The argument `max_pages`, which counts pages read."""


class PageLimit:
    """Counts pages read up to a limit; 0 means no limit."""

    def __init__(self, limit: int) -> None:
        self._limit, self._read = limit, 0

    def count(self) -> None:
        """Count a page."""
        self._read += 1

    @property
    def is_reached(self) -> bool:
        return 0 < self._limit <= self._read
