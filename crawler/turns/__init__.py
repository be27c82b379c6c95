"""The turns of hosts: all crawls, watches, log-ins and robots.txt requests of a machine or cluster share one delay and one limit of
requests in progress for each host."""

from crawler.turns.host_turn import HostTurn
from crawler.turns.opening import HostTurns, open_turns

__all__ = ["HostTurn", "HostTurns", "open_turns"]
