"""Sites fall into slots; a slot, with all its sites, belongs to one node of a watch at a time."""

from hashlib import blake2b

from crawler.links.scope import registered_domain
from extractors.links.urls import host_of

SLOTS = 64
ALL_SLOTS = frozenset(range(SLOTS))


def slot_of(url: str) -> int:
    """The slot of the site of an address, the same on every node."""
    return slot_of_site(registered_domain(host_of(url)))


def slot_of_site(name: str) -> int:
    """The slot of a registered domain."""
    return blake2b(name.encode(), digest_size=2).digest()[0] % SLOTS
