"""Pages of markup shapes that are expensive or dangerous to read: drawn at random, repeated or nested to any size."""

import random

MARK = "<x-ran onclick=window.ran=1>"
_TAGS = (
    *(
        "p",
        "b",
        "i",
        "div",
        "table",
        "tr",
        "td",
        "select",
        "option",
        "form",
        "button",
        "object",
        "svg",
        "math",
        "template",
        "meta",
    ),
    *(
        "script",
        "style",
        "textarea",
        "title",
        "noscript",
        "iframe",
        "a",
        "font",
        "nobr",
        "applet",
        "ruby",
        "rt",
        "frameset",
        "x-y",
    ),
)
_ATTRIBUTES = (
    "",
    " href=x",
    " src=//e.example",
    " onload=window.ran=1",
    " style='a:b'",
    " class=",
    " on0=1 on1=1",
    " a='",
    ' b="',
    " =",
)
_TEXTS = (
    "",
    "y",
    "&amp;",
    "&#0;",
    "&lt",
    "\x00",
    "\u202e",
    "原文",
    "]]>",
    "<!--",
    "<![CDATA[",
    "<?",
    "</",
    "<",
    "{{7*7}}",
    MARK,
)


def piece(chance: random.Random) -> str:
    """A few tags, closed or not, with attributes and texts."""
    made = ""
    for _ in range(chance.randint(1, 4)):
        tag = chance.choice(_TAGS)
        made += (
            f"<{tag}{''.join(chance.choice(_ATTRIBUTES) for _ in range(chance.randint(0, 3)))}>{chance.choice(_TEXTS)}"
        )
        made += f"</{tag}>" * chance.randint(0, 1)
    return made


def page(chance: random.Random, size: int) -> str:
    """A page of about this number of bytes: a beginning, then one piece again and again."""
    return grown(piece(chance), piece(chance), size)


def grown(start: str, repeated: str, size: int) -> str:
    """The same shape at any size."""
    return f"<html><body>{start}{repeated * (size // len(repeated.encode()) + 1)}"
