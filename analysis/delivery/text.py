"""The text of a message, fit for its channel: collected text is hostile, and channels have limits."""

from string import Template

from analysis.delivery.channels import Channel
from analysis.delivery.message import Message

_MAY_REPEAT = "(This message may come a second time.)"


def text_of(channel: Channel, message: Message, most: int) -> str:
    """By the template of the channel, at most `most` bytes of UTF-8."""
    values = {"title": one_line(message.title), "text": clean(message.text), "link": one_line(message.link)}
    text = Template(channel.template).safe_substitute(values).strip()
    if message.again:
        text = f"{text}\n{_MAY_REPEAT}"
    return cut(text, most)


def clean(text: str) -> str:
    """Without control characters, and without what turns the direction of writing."""
    return "".join(letter for letter in text if letter == "\n" or letter.isprintable())


def one_line(text: str) -> str:
    """The same on one line."""
    return " ".join(clean(text).split())


def harmless(text: str) -> str:
    """For chats in which <at …> and <@…> call people: such brackets become wide ones."""
    return text.replace("<", "＜").replace(">", "＞")


def cut(text: str, most: int) -> str:
    """The beginning that has at most so many bytes of UTF-8."""
    raw = text.encode()
    return text if len(raw) <= most else raw[: most - 3].decode(errors="ignore") + "…"
