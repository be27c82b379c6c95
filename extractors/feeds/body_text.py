"""The text that a list has of an item, in lines."""

import re

from extractors.text.characters import unescape

_BREAK = re.compile(
    r"<\s?/?\s?(?:br|p|div|li|ul|ol|tr|h[1-6]|section|article|blockquote|dd|dt|pre|figure)\b[^<>]{0,2000}>", re.I
)
_SILENT = re.compile(r"<(script|style)\b[^<>]{0,2000}>.{0,100000}?</\1\s?>|<!--.{0,10000}?-->", re.I | re.S)
_TAG = re.compile(r"<[a-zA-Z/!][^<>]{0,2000}>")


def body_lines(markup: str) -> list[str]:
    """The lines of a text with or without markup, of which none is empty."""
    if "<" in markup:
        markup = _TAG.sub("", _BREAK.sub("\n", _SILENT.sub("", markup.replace("\n", " "))))
    text = unescape(markup)
    return [line for each in text.splitlines() if (line := " ".join(each.split()))]
