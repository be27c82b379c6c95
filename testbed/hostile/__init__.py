"""A web that means harm, on loopback, for the tests of what a crawl must withstand."""

from testbed.hostile.server import Connection, HostileWeb

__all__ = ["Connection", "HostileWeb"]
