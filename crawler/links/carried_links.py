"""Links that scripts would make: those of the list in the JSON that a page carries."""

from extractors.feeds import FeedEntry, read_carried_list
from extractors.html.document import Document
from extractors.links.find import find_links

_MIN_ENTRIES, _MAX_TITLES, _MIN_TITLE_CHARS = 3, 8, 8
"""A page with more links that have titles shows its list itself."""
_MARKS = ("<script", "s-data")


def carried_entries(page: Document) -> tuple[FeedEntry, ...]:
    """The items of the list that a page carries, if it has hardly any links with titles itself; see `Document.once`."""
    links = page.once(find_links)
    if sum(len(link.text) >= _MIN_TITLE_CHARS for link in links) > _MAX_TITLES:
        return ()
    if not any(mark in page.text for mark in _MARKS):
        return ()
    found = read_carried_list(page, now=page.made_at)
    linked = {link.url for link in links}
    entries = tuple(entry for entry in found.feed.entries if entry.url not in linked) if found is not None else ()
    return entries if len(entries) >= _MIN_ENTRIES else ()
