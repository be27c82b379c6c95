"""Message text made safe for its channel: collected text is untrusted and channels have limits."""

from string import Template

from analysis.delivery.channels import Channel
from analysis.delivery.message import Message

_MAY_REPEAT = "(This message may be a duplicate.)"


def text_of(channel: Channel, message: Message, most: int) -> str:
    """The text from the channel's template, at most `most` bytes of UTF-8."""
    values = {"title": one_line(message.title), "text": clean(message.text), "link": one_line(message.link)}
    text = Template(channel.template).safe_substitute(values).strip()
    if message.again:
        text = f"{text}\n{_MAY_REPEAT}"
    return cut(text, most)


def clean(text: str) -> str:
    """Remove control and bidirectional formatting characters."""
    return "".join(letter for letter in text if letter == "\n" or letter.isprintable())


def one_line(text: str) -> str:
    """Like `clean`, on one line."""
    return " ".join(clean(text).split())


def harmless(text: str) -> str:
    """For chats in which <at …> and <@…> call people: such brackets become wide ones."""
    return text.replace("<", "＜").replace(">", "＞")


def cut(text: str, most: int) -> str:
    """The longest prefix of at most `most` bytes of UTF-8."""
    raw = text.encode()
    return text if len(raw) <= most else raw[: most - 3].decode(errors="ignore") + "…"
