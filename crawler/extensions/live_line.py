"""A line at the bottom of a terminal that is updated in place, with the log above it."""

from rich.console import Console
from rich.live import Live
from rich.text import Text

from crawler.command_line import printable


class LiveLine:
    """A live line on standard error, until it is closed."""

    def __init__(self) -> None:
        console = Console(stderr=True, highlight=False)
        self._live = Live(Text(""), console=console, refresh_per_second=2, transient=True)
        self._live.start()

    def show(self, text: str) -> None:
        self._live.update(Text(printable(text)))

    def close(self) -> None:
        self._live.stop()
