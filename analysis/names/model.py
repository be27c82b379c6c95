"""A name found in a text, with its kind and its place."""

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
