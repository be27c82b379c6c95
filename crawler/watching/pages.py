"""Pages waiting to be fetched, and pages to recheck for corrections and deletions."""

from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from crawler.links.scope import registered_domain
from crawler.watching.rechecks import HOUR_SECONDS, RECHECK_AGES, Rechecks
from crawler.watching.site_turns import Ready, SiteTurns
from extractors.links.urls import host_of
from pipelines.dating import listed

_RETRIES = (60.0, 300.0, 1_800.0, 2 * HOUR_SECONDS, 8 * HOUR_SECONDS, 24 * HOUR_SECONDS)
"""Seconds before retries of a page whose host answers other requests."""
NOT_FETCHED = ("waiting", "backlog")
_MAX_PAGES = 400_000
_MAX_WAITING, _MAX_NAMED = 50, 5_000
"""New pages of a site that wait: more make it flooding; with more, further ones are not queued before they are shown again."""
_MAX_SPARED = 100
"""Waiting pages that are passed over when one is to be forgotten."""


@dataclass(slots=True)
class WatchedPage:
    """One page of content.

    Attributes:
        source: the address of the source that announced it first.
        state: waiting (not fetched yet), backlog (not fetched, older than the watch), known, gone, failed.
        found, due: seconds since the epoch of its announcement, and of its next fetch.
        stage, pause: see `crawler.watching.rechecks`.
        digest: of its text at the last fetch. changed_at: when a change or removal was noticed.
        rechecked: whether it is rechecked; pages of threads are not.
        said, title, shown_after, surely_new: what lists show of it, see `pipelines.dating`; 0: unknown.
    """

    url: str
    host: str
    source: str
    found: float
    state: str = "waiting"
    due: float = 0.0
    stage: int = 0
    pause: float = 0.0
    failures: int = 0
    digest: str = ""
    rechecked: bool = True
    under_way: bool = False
    changed_at: float = 0.0
    said: str = ""
    title: str = ""
    shown_after: float = 0.0
    surely_new: bool = False

    @property
    def listed(self) -> dict[str, str]:
        """Facts that lists gave of it."""
        return listed(self.said, self.shown_after, self.found, is_new=self.surely_new, title=self.title)

    @property
    def site(self) -> str:
        """The registered domain that named it."""
        return registered_domain(host_of(self.source or self.url))


class Pages:
    """The pages of a watch by address: new ones by site and host in order of discovery, rechecks by time.

    Args:
        worth: of a site's pages, see `SiteTurns`.

    Attributes:
        flooding: sites that have named more pages than their turns can fetch soon.
        changed: addresses of pages whose rows are to be stored.
        storing: addresses of pages whose text is being stored, by the addresses after redirects; until it is stored, their
            rows do not have the state known.
    """

    def __init__(self, worth: Callable[[str], float] = lambda site: 1.0) -> None:
        self.known: OrderedDict[str, WatchedPage] = OrderedDict()
        self._new, self._backlog, self._rechecks = SiteTurns(worth), SiteTurns(worth), Rechecks(worth)
        self._asked: set[str] = set()
        self.flooding: set[str] = set()
        self.changed: set[str] = set()
        self.storing: dict[str, str] = {}

    def add(self, page: WatchedPage, *, old: bool = False) -> None:
        """Add an announced page; an old one waits for spare requests."""
        page.state = "backlog" if old else "waiting"
        self.known[page.url] = page
        self._queue(page)
        self.changed.add(page.url)
        if len(self.known) > _MAX_PAGES:
            self._shed()

    def has_room(self, site: str) -> bool:
        """Whether one more new page of a site may wait."""
        return self._new.count(site) < _MAX_NAMED

    def ask_again(self, page: WatchedPage, now: float) -> None:
        """Fetch a reportedly changed page with the priority of a new one."""
        page.due = now
        self.changed.add(page.url)
        if page.url not in self._asked:
            self._asked.add(page.url)
            self._queue(page)

    def name_again(self, page: WatchedPage, source: str, *, old: bool) -> None:
        """Note that a page that waits for the turn of another site is named by its own."""
        page.source = source
        page.state = "backlog" if old else "waiting"
        self._queue(page)
        self.changed.add(page.url)

    def next_new(
        self, ready: Ready, *, old: bool = False, among: Callable[[str], bool] = lambda site: True
    ) -> WatchedPage | None:
        """The longest waiting page of an available host; sites take turns, and the hosts of a site."""
        line = self._backlog if old else self._new
        url = line.next(ready, self._is_to_fetch, among)
        if url is None:
            return None
        self._asked.discard(url)
        page = self.known[url]
        if page.site in self.flooding and self._new.count(page.site) <= _MAX_WAITING // 2:
            self.flooding.discard(page.site)
        return page

    def next_recheck(self, now: float, ready: Ready) -> WatchedPage | None:
        """A page due for a recheck, of an available host; sites take turns."""
        url = self._rechecks.next(now, self.known, ready, self._is_free)
        return None if url is None else self.known[url]

    def fetched(self, page: WatchedPage, digest: str, now: float, *, grows: bool = False) -> bool:
        """Note an answer; True if the page was known with another text. `grows`: it says that it does."""
        is_new, changed = page.state != "known", page.state == "known" and bool(digest) and digest != page.digest
        page.under_way, page.failures = False, 0
        page.changed_at = now if changed else page.changed_at
        page.digest, page.state = digest or page.digest, "known"
        self.changed.add(page.url)
        if page.rechecked:
            self._rechecks.plan(page, now, changed=changed or (is_new and grows))
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
        if host_fails and page.state in NOT_FETCHED:
            self._queue(page, first=True)
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
        self._set_due(page, now + RECHECK_AGES[0])

    def waiting(self) -> int:
        """The number of new pages that are not fetched yet."""
        return len(self._new)

    def restore(self, page: WatchedPage) -> None:
        """Restore a page of an earlier run."""
        self.known[page.url] = page
        if page.state in NOT_FETCHED:
            self._queue(page)
        elif page.due and page.state == "known" and not page.rechecked:  # a page of a thread, which was requested again
            self.ask_again(page, page.due)
        elif page.due:
            self._rechecks.add(page, page.due)

    def take_changed(self) -> Iterator[WatchedPage]:
        """Remove and return the pages whose rows are to be stored."""
        storing = set(self.storing.values())
        changed, self.changed = self.changed - storing, self.changed & storing
        for url in changed:
            if url in self.known:
                yield self.known[url]

    def _shed(self) -> None:
        """Forget one page: the newest old one of the site with most of them, else the oldest that does not wait."""
        url = self._backlog.drop_newest()
        page = self.known.get(url)
        for _ in range(_MAX_SPARED if page is None or page.state != "backlog" else 0):
            url = next(iter(self.known))
            if self.known[url].state != "waiting":
                break
            self.known.move_to_end(url)
        self.known.pop(url, None)

    def _queue(self, page: WatchedPage, *, first: bool = False) -> None:
        if page.state == "backlog":
            self._backlog.add(page.site, page.host, page.url, first=first)
            return
        self._new.add(page.site, page.host, page.url, first=first)
        if self._new.count(page.site) > _MAX_WAITING:
            self.flooding.add(page.site)

    def _is_free(self, url: str) -> bool:
        page = self.known.get(url)
        return page is not None and not page.under_way and page.state != "gone"

    def _is_to_fetch(self, url: str) -> bool:
        return self._is_free(url) and (url in self._asked or self.known[url].state in NOT_FETCHED)

    def _set_due(self, page: WatchedPage, due: float) -> None:
        self._rechecks.add(page, due)
        self.changed.add(page.url)
