"""Names and times of a report, found once for all that reads them."""

from dataclasses import dataclass
from datetime import datetime

from analysis.names import Name, find_names
from analysis.times import TimeMention, find_times


@dataclass(frozen=True, slots=True)
class Entities:
    """With offsets in the title and the text, joined by a line break."""

    names: tuple[Name, ...]
    times: tuple[TimeMention, ...]


def find(title: str, text: str, base: datetime) -> Entities:
    """What title and text name; `base` is the report's local time, naive."""
    whole = f"{title}\n{text}"
    return Entities(find_names(whole), find_times(whole, base))
