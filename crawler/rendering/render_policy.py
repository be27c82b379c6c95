"""Decides which pages of a host to render: learned from whether they lack text as served, and whether rendering adds any."""

from collections import OrderedDict
from dataclasses import dataclass
from typing import Literal

Decision = Literal["inspect", "render", "skip"]
"""inspect: render the page if it lacks text as served; render: without inspection; skip: never."""

SURE_PAGES = 3
"""Consecutive equal pages that decide for a host."""
INSPECT_EVERY = 8
"""Of a decided host, one in this many pages is still inspected."""
_UNLEARN_PAGES = 2
_MAX_HOSTS = 20_000


@dataclass(slots=True)
class _HostRecord:
    """`lacking`: consecutive inspected pages that lacked text, negative for complete ones; `vain`: consecutive renderings
    that added nothing."""

    lacking: int = 0
    vain: int = 0
    pages: int = 0
    needs_scripts: bool = False


class RenderPolicy:
    """Decides per host, for the 20,000 most recently used hosts.

    A host needs scripts once three consecutive pages lacked text as served and had it when rendered; then its pages are
    rendered without inspection. Every eighth page is still inspected, and two consecutive complete ones end this. After
    three consecutive renderings that added nothing, only every eighth page is inspected and perhaps rendered.
    """

    def __init__(self) -> None:
        self._hosts: OrderedDict[str, _HostRecord] = OrderedDict()

    def decide(self, host: str) -> Decision:
        record = self._record(host)
        record.pages += 1
        if record.pages % INSPECT_EVERY == 0:
            return "inspect"
        if record.vain >= SURE_PAGES:
            return "skip"
        return "render" if record.needs_scripts else "inspect"

    def record_served(self, host: str, lacks_text: bool) -> None:
        record = self._record(host)
        record.lacking = max(record.lacking, 0) + 1 if lacks_text else min(record.lacking, 0) - 1
        if record.needs_scripts and record.lacking <= -_UNLEARN_PAGES:
            record.needs_scripts = False

    def record_rendered(self, host: str, added_text: bool) -> None:
        """Record whether rendering a page that lacked text added any."""
        record = self._record(host)
        record.vain = 0 if added_text else record.vain + 1
        if added_text and record.lacking >= SURE_PAGES:
            record.needs_scripts = True

    def hosts_with_scripts(self) -> list[str]:
        return [host for host, record in self._hosts.items() if record.needs_scripts]

    def _record(self, host: str) -> _HostRecord:
        record = self._hosts.get(host)
        if record is None:
            record = self._hosts[host] = _HostRecord()
            if len(self._hosts) > _MAX_HOSTS:
                self._hosts.popitem(last=False)
        else:
            self._hosts.move_to_end(host)
        return record
