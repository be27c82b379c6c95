"""The turns of hosts: all crawls, watches, log-ins and robots.txt requests of a machine or cluster share one delay for each host."""

from crawler.turns.opening import HostTurns, open_turns

__all__ = ["HostTurns", "open_turns"]
