"""Names and times of a report, extracted once for all consumers."""

from dataclasses import dataclass
from datetime import datetime

from analysis.names import Name, find_names
from analysis.times import TimeMention, find_times


@dataclass(frozen=True, slots=True)
class Entities:
    """Entities with offsets into title and text joined by a line break."""

    names: tuple[Name, ...]
    times: tuple[TimeMention, ...]


def find(title: str, text: str, base: datetime) -> Entities:
    """The entities of title and text; `base` is the report's naive local time."""
    whole = f"{title}\n{text}"
    return Entities(find_names(whole), find_times(whole, base))
