"""Message text made safe for its channel: collected text is untrusted and channels have limits."""

from string import Template

from analysis.delivery.channels import Channel
from analysis.delivery.message import Message

_MAY_REPEAT = {"zh": "（此消息可能重复。）", "en": "(This message may be a duplicate.)"}
_MOST_CHARS = 500


def text_of(channel: Channel, message: Message, most: int) -> str:
    """The text from the channel's template, at most `most` bytes of UTF-8."""
    values = {"title": one_line(message.title), "text": clean(message.text), "link": one_line(message.link)}
    text = Template(channel.template).safe_substitute(values).strip()
    if message.again:
        text = f"{text}\n{_MAY_REPEAT[_language(values['text'])]}"
    return cut(text, most)


def _language(text: str) -> str:
    """The language of the first line: Chinese if it has Chinese characters, and no three English words in a row."""
    line = text.partition("\n")[0][:_MOST_CHARS]
    words = [word.isascii() and word.isalpha() for word in line.split()]
    is_english = any(map(all, zip(words, words[1:], words[2:], strict=False)))
    return "zh" if not is_english and any("\u4e00" <= letter <= "\u9fff" for letter in line) else "en"


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
