"""What a command shows on a terminal while it works, and what it asks there."""

import sys
import time

_PAUSE_SECONDS = 1.0


class PassingLine:
    """A line on standard error that is replaced at most once a second; nothing is shown if `shows` is false or without a terminal."""

    def __init__(self, *, shows: bool = True) -> None:
        self._shows, self._shown_at = shows and sys.stderr.isatty(), time.monotonic()

    def show(self, text: str, *values: object) -> None:
        """The text with the values in the places of its `{}`."""
        if self._shows and time.monotonic() > self._shown_at + _PAUSE_SECONDS:
            self._shown_at = time.monotonic()
            print(f"\r{text.format(*values)}", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        if self._shows:
            print("\r", end="", file=sys.stderr)


def is_confirmed(question: str) -> bool | None:
    """Whether the person at the terminal says yes; None without a terminal."""
    if not sys.stdin.isatty():
        return None
    return input(f"{question} [y/N] ").strip().lower() in ("y", "yes")
