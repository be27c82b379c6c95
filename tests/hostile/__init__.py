"""A web that means harm, on loopback, for the tests of what a crawl must withstand."""

from tests.hostile.server import Connection, HostileWeb

__all__ = ["Connection", "HostileWeb"]
