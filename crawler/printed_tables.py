"""Tables on standard output."""

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.table import Table

from crawler.command_line import printable
from crawler.config import shown
from crawler.excepthook import close_stdout


class _Terminal(Console):
    def on_broken_pipe(self) -> None:
        """A reader that has ended, such as `head`, is not an error; rich would exit with 1."""
        close_stdout()


def print_table(headings: Sequence[str], rows: Iterable[Sequence[object]], *, right_from: int = 99) -> None:
    """Print aligned columns, wide if stdout is not a terminal; heads in the reader's language, columns from `right_from` right-aligned."""
    table = Table(box=None, pad_edge=False)
    for place, heading in enumerate(headings):
        table.add_column(shown(heading), justify="right" if place >= right_from else "left", overflow="fold")
    for row in rows:
        table.add_row(*(printable(str(cell)) for cell in row))
    console = _Terminal(highlight=False, markup=False)
    if not console.is_terminal:
        console.width = 200
    console.print(table)
