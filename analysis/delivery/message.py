"""Messages and delivery errors."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file; `type` is its media type."""

    name: str
    type: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Message:
    """`key` is the same for every attempt; `again` is true if an earlier attempt may have arrived."""

    key: str
    title: str
    text: str
    link: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)
    files: tuple[Attachment, ...] = ()
    again: bool = False


class DeliveryError(Exception):
    """The message was not accepted.

    Attributes:
        unsure: it may have arrived, as no response came.
        wait: seconds that the receiver asks to wait, 0 if unspecified.
    """

    def __init__(self, sentence: str, *, unsure: bool = False, wait: float = 0.0) -> None:
        super().__init__(sentence)
        self.unsure = unsure
        self.wait = wait
