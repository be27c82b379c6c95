"""A message that shows whether a channel works."""

import uuid

from analysis.delivery.channels import Channel
from analysis.delivery.message import Message
from analysis.delivery.send import send


def send_test(channel: Channel, title: str, text: str, link: str = "", *, allow_private: bool) -> str:
    """Send a message now; a sentence about partial failures, "" if there are none. Raises DeliveryError if it was not accepted."""
    return send(channel, Message(f"test-{uuid.uuid4().hex[:12]}", title, text, link), allow_private=allow_private)
