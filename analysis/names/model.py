"""What is found: a name with its kind and its place in the text."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["person", "place", "org"]


@dataclass(frozen=True, slots=True)
class Name:
    """A name as it is written, from `start` to `end`."""

    start: int
    end: int
    text: str
    kind: Kind
