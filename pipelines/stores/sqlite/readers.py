"""Connections that read one SQLite file, each used by one reading at a time.

A connection with an open cursor keeps its snapshot of the file, and Python's is not safe for two threads at once: a reading that is slow or
never read to its end must hold back no other.
"""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from typing import Any

_MAX_IDLE = 8
"""Connections that are kept for the next readings."""


class Readers:
    """A pool; `connect` opens another connection when all are in use."""

    def __init__(self, connect: Callable[[], sqlite3.Connection]) -> None:
        self._connect = connect
        self._idle: list[sqlite3.Connection] = []
        self._is_closed = False

    def rows(self, statement: str, values: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
        """The rows of a SELECT, read as they are asked for. Raises sqlite3.Error."""
        connection = self.take()
        cursor = connection.cursor()
        try:
            yield from cursor.execute(statement, values)
        finally:
            cursor.close()
            self.give_back(connection)

    def take(self) -> sqlite3.Connection:
        """A connection for one user, who gives it back; sqlite3.ProgrammingError once the pool is closed."""
        if self._is_closed:
            raise sqlite3.ProgrammingError("Cannot operate on a closed database.")
        try:
            return self._idle.pop()
        except IndexError:
            return self._connect()

    def give_back(self, connection: sqlite3.Connection) -> None:
        """Keep a connection for the next reading."""
        if self._is_closed or len(self._idle) >= _MAX_IDLE:
            connection.close()
        else:
            self._idle.append(connection)

    def close(self) -> None:
        """Close what is idle; a connection in use is closed when it is given back."""
        self._is_closed = True
        while self._idle:
            self._idle.pop().close()
