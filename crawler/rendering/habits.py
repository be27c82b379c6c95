"""What a crawl learns of each host: whether its pages need scripts, and whether running them brings anything."""

from collections import OrderedDict
from dataclasses import dataclass
from typing import Literal

Way = Literal["look", "render", "leave"]
"""Look at the page as served first; render it without looking; leave it as served though text is missing."""

SURE = 3
"""So many pages in a row show what a host is like."""
DOUBT = 8
"""Of a host that is known, every so manieth page is looked at all the same."""
_HOSTS = 20_000


@dataclass(slots=True)
class _Habit:
    """Pages in a row, of those looked at, that lacked text (negative: that were whole); and those rendered in vain."""

    lacking: int = 0
    vain: int = 0
    pages: int = 0
    learned: bool = False


class Habits:
    """Per host, the newest 20,000 hosts.

    Three pages in a row that lack text as served, and have it when rendered, teach that the host's pages do; from then on
    they are rendered at once. Every eighth is looked at all the same, and two of these in a row that are whole unteach it.
    Where rendering has brought nothing three times in a row, only every eighth page that lacks text is rendered.
    """

    def __init__(self) -> None:
        self._hosts: OrderedDict[str, _Habit] = OrderedDict()

    def way(self, host: str) -> Way:
        """What to do with the host's next page."""
        habit = self._of(host)
        habit.pages += 1
        if habit.pages % DOUBT == 0:
            return "look"
        if habit.vain >= SURE:
            return "leave"
        return "render" if habit.learned else "look"

    def looked(self, host: str, lacks: bool) -> None:
        """Whether a page lacked text as served."""
        habit = self._of(host)
        habit.lacking = max(habit.lacking, 0) + 1 if lacks else min(habit.lacking, 0) - 1
        if habit.learned and habit.lacking <= -2:
            habit.learned = False

    def rendered(self, host: str, brought: bool) -> None:
        """Whether rendering a page that lacked text brought any."""
        habit = self._of(host)
        habit.vain = 0 if brought else habit.vain + 1
        if brought and habit.lacking >= SURE:
            habit.learned = True

    def learned(self) -> list[str]:
        """Hosts whose pages are rendered at once."""
        return [host for host, habit in self._hosts.items() if habit.learned]

    def _of(self, host: str) -> _Habit:
        habit = self._hosts.get(host)
        if habit is None:
            habit = self._hosts[host] = _Habit()
            if len(self._hosts) > _HOSTS:
                self._hosts.popitem(last=False)
        else:
            self._hosts.move_to_end(host)
        return habit
