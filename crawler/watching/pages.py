"""Pages waiting to be fetched, and pages to recheck for corrections and deletions."""

import heapq
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass

HOUR_SECONDS = 3_600.0
RECHECKS = (2 * HOUR_SECONDS, 7 * HOUR_SECONDS, 19 * HOUR_SECONDS, 48 * HOUR_SECONDS, 120 * HOUR_SECONDS)
"""Ages at which a page is rechecked; most corrections come within two hours, nearly all within a day."""
_RETRIES = (60.0, 300.0, 1_800.0, 2 * HOUR_SECONDS, 8 * HOUR_SECONDS, 24 * HOUR_SECONDS)
"""Seconds before retries of a page whose host answers other requests."""
_NOT_FETCHED = ("waiting", "backlog")
_MAX_PAGES = 400_000


@dataclass(slots=True)
class WatchedPage:
    """One page of content.

    Attributes:
        source: the address of the source that announced it first.
        state: waiting (not fetched yet), backlog (not fetched, older than the watch), known, gone, failed.
        found, due: seconds since the epoch of its announcement, and of its next fetch.
        stage: number of rechecks.
        digest: of its text at the last fetch. changed_at: when a change or removal was noticed.
        rechecked: whether it is rechecked; pages of threads are not.
    """

    url: str
    host: str
    source: str
    found: float
    state: str = "waiting"
    due: float = 0.0
    stage: int = 0
    failures: int = 0
    digest: str = ""
    rechecked: bool = True
    under_way: bool = False
    changed_at: float = 0.0


class Pages:
    """The pages of a watch by address: new ones by host in order of discovery, rechecks by time.

    Attributes:
        changed: addresses of pages whose rows are to be stored.
        storing: addresses of pages whose text is being stored, by the addresses after redirects; until it is stored, their
            rows do not have the state known.
    """

    def __init__(self) -> None:
        self.known: OrderedDict[str, WatchedPage] = OrderedDict()
        self._new: OrderedDict[str, deque[str]] = OrderedDict()
        self._later: list[tuple[float, str]] = []
        self._backlog: OrderedDict[str, deque[str]] = OrderedDict()
        self.changed: set[str] = set()
        self.storing: dict[str, str] = {}

    def add(self, page: WatchedPage, *, old: bool = False) -> None:
        """Add an announced page; an old one waits for spare requests."""
        page.state = "backlog" if old else "waiting"
        self.known[page.url] = page
        self._line(old).setdefault(page.host, deque()).append(page.url)
        self.changed.add(page.url)
        if len(self.known) > _MAX_PAGES:
            self.known.popitem(last=False)

    def ask_again(self, page: WatchedPage, now: float) -> None:
        """Fetch a reportedly changed page with the priority of a new one."""
        page.due = now
        self.changed.add(page.url)
        line = self._line(False).setdefault(page.host, deque())
        if page.url not in line:
            line.append(page.url)

    def next_new(self, ready: Callable[[str], bool], *, old: bool = False) -> WatchedPage | None:
        """The longest waiting page of an available host; hosts take turns."""
        line = self._line(old)
        for host in list(line):
            if not ready(host):
                continue
            urls = line[host]
            while urls:
                page = self.known.get(urls.popleft())
                if page is not None and not page.under_way and page.state != "gone":
                    line.move_to_end(host)
                    return page
            del line[host]
        return None

    def next_recheck(self, now: float, ready: Callable[[str], bool]) -> WatchedPage | None:
        """A page due for a recheck, of an available host."""
        waiting: list[tuple[float, str]] = []
        found: WatchedPage | None = None
        while self._later and self._later[0][0] <= now and found is None and len(waiting) < 200:
            due, url = heapq.heappop(self._later)
            page = self.known.get(url)
            if page is None or page.due != due or page.under_way or page.state == "gone":
                continue
            if ready(page.host):
                found = page
            else:
                waiting.append((due, url))
        for entry in waiting:
            heapq.heappush(self._later, entry)
        return found

    def fetched(self, page: WatchedPage, digest: str, now: float) -> bool:
        """Note an answer; True if the page was known with another text."""
        changed = page.state == "known" and bool(digest) and digest != page.digest
        page.under_way, page.failures = False, 0
        page.changed_at = now if changed else page.changed_at
        page.digest, page.state = digest or page.digest, "known"
        self.changed.add(page.url)
        age = now - page.found
        while page.stage < len(RECHECKS) and RECHECKS[page.stage] <= age + 600:
            page.stage += 1
        if page.rechecked and page.stage < len(RECHECKS):
            self._set_due(page, page.found + RECHECKS[page.stage])
        else:
            page.due = 0.0
        return changed

    def gone(self, page: WatchedPage, now: float) -> None:
        """Note that the page was removed."""
        page.state, page.under_way, page.due, page.changed_at = "gone", False, 0.0, now
        self.changed.add(page.url)

    def failed(self, page: WatchedPage, now: float, *, host_fails: bool) -> None:
        """Note a failure: a page waits for a failing host indefinitely; one that fails alone is eventually given up."""
        page.under_way = False
        if host_fails and page.state in _NOT_FETCHED:
            self._line(page.state == "backlog").setdefault(page.host, deque()).appendleft(page.url)
            return
        if page.failures >= len(_RETRIES):
            page.state, page.due = "failed", 0.0
            self.changed.add(page.url)
            return
        page.failures += 1
        self._set_due(page, now + _RETRIES[page.failures - 1])

    def not_stored(self, page: WatchedPage, now: float) -> None:
        """Note that the last fetch was not stored: the page counts as not fetched, and is retried later."""
        page.state, page.digest = "waiting", ""
        self._set_due(page, now + RECHECKS[0])

    def waiting(self) -> int:
        """The number of new pages that are not fetched yet."""
        return sum(map(len, self._new.values()))

    def restore(self, page: WatchedPage) -> None:
        """Restore a page of an earlier run."""
        self.known[page.url] = page
        if page.state in _NOT_FETCHED:
            self._line(page.state == "backlog").setdefault(page.host, deque()).append(page.url)
        elif page.due and page.state == "known" and not page.rechecked:  # a page of a thread, which was requested again
            self._line(False).setdefault(page.host, deque()).append(page.url)
        elif page.due:
            heapq.heappush(self._later, (page.due, page.url))

    def take_changed(self) -> Iterator[WatchedPage]:
        """Remove and return the pages whose rows are to be stored."""
        storing = set(self.storing.values())
        changed, self.changed = self.changed - storing, self.changed & storing
        for url in changed:
            if url in self.known:
                yield self.known[url]

    def _line(self, old: bool) -> OrderedDict[str, deque[str]]:
        return self._backlog if old else self._new

    def _set_due(self, page: WatchedPage, due: float) -> None:
        page.due = due
        heapq.heappush(self._later, (due, page.url))
        self.changed.add(page.url)
