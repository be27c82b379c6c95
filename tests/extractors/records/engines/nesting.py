"""Threads of no engine in particular: answers inside of what they answer, and quotes, in the ways in which templates write them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby

from tests.extractors.records.engines.content import Post, furniture

WORDS = (
    ("comment-item", "nickname", "pub-time", "comment-content", "reply-list", "reply-item"),
    ("list_li", "WB_name", "WB_from", "WB_text", "list_box_in", "list_con"),
    ("reply-wrap", "user-name", "time", "text-con", "sub-reply", "sub-item"),
    ("l_post", "p_author_name", "tail-info", "d_post_content", "core_reply_wrapper", "lzl_single_post"),
    ("Qzx", "Wyv", "Evu", "Rbn", "Tnm", "Ykj"),
)
"""What templates call a record, its author, time and text, the box of its answers and one of these."""
PLACES = ("behind", "beside", "in the text", "in a shell")
"""Where the answers to a record are: behind its text, in a box beside all of it, in the element of its text, or beside its
element in a shell."""
QUOTES = ("none", "blockquote", "named", "signed", "words")
"""How a record quotes another: not; in a blockquote; in an element with a name; there with its author and time; in words alone."""


@dataclass(frozen=True, slots=True)
class Shape:
    """How a made page is written."""

    words: tuple[str, ...] = WORDS[0]
    place: str = "behind"
    quote: str = "none"
    alike: bool = False
    """Answers are written as what they answer is."""
    linked: bool = True
    """Names are links to people's pages."""
    timed: bool = True
    """Answers have times."""
    tag: str = "div"


def thread(posts: Sequence[Post], shape: Shape) -> str:
    """A page with posts, of which some answer the last one before them that answers none."""
    stories = [list(group) for _, group in groupby(posts, key=_story(posts))]
    return f'{furniture()}<div id="list">{"".join(_record(one, rest, shape) for one, *rest in stories)}</div>'


def _story(posts: Sequence[Post]) -> Callable[[Post], int]:
    by_number = {post.number: post for post in posts}

    def first(post: Post) -> int:
        while post.parent >= 0:
            post = by_number[post.parent]
        return post.number

    return first


def _record(post: Post, answers: Sequence[Post], shape: Shape) -> str:
    item, _, _, _, box, _ = shape.words
    head, text = _head(post, shape, inner=False), _text(post, shape)
    found = "".join(_answer(answer, shape) for answer in answers)
    inside = f'<div class="{box}">{found}</div>' if found else ""
    own = f' id="{item}-{7000 + post.number}"' if shape.words[0] != "Qzx" else ""
    element, body = f'<{shape.tag} class="{item}"{own}>', f'<div class="{shape.words[3]}">'
    if shape.place == "in the text":
        return f"{element}{head}{body}{text}{inside}</div>{_foot()}</{shape.tag}>"
    if shape.place == "beside":
        return f'{element}<div class="main">{head}{body}{text}</div>{_foot()}</div>{inside}</{shape.tag}>'
    if shape.place == "in a shell":
        return (
            f'<{shape.tag} class="shell">{element}{head}{body}{text}</div>{_foot()}</{shape.tag}>{inside}</{shape.tag}>'
        )
    return f"{element}{head}{body}{text}</div>{inside}{_foot()}</{shape.tag}>"


def _answer(post: Post, shape: Shape) -> str:
    item, _, _, body, _, inner = shape.words
    name = item if shape.alike else inner
    said = body if shape.alike else f"{inner}-text"
    return f'<div class="{name}">{_head(post, shape, inner=not shape.alike)}<div class="{said}">{_text(post, shape)}</div></div>'


def _head(post: Post, shape: Shape, *, inner: bool) -> str:
    _, author, time, *_ = shape.words
    if inner:
        author, time = f"{author}-in", f"{time}-in"
    name = f'<a class="{author}" href="/u/{300 + post.number}">{post.author}</a>'
    name = name if shape.linked else f'<span class="{author}">{post.author}</span>'
    when = f'<span class="{time}">{post.when:%Y-%m-%d %H:%M}</span>' if shape.timed or not inner else ""
    return f'<div class="head">{name}{when}</div>'


def _foot() -> str:
    return '<div class="foot"><a href="javascript:;">回复</a><a href="javascript:;">举报</a></div>'


def _text(post: Post, shape: Shape) -> str:
    if not post.quote or shape.quote == "none":
        return f"<p>{post.text}</p>"
    quote = {
        "blockquote": f"<blockquote>{post.quote}</blockquote>",
        "named": f'<div class="quote-box">{post.quote}</div>',
        "signed": f'<div class="quote"><cite>某某 发表于 {post.when:%Y-%m-%d %H:%M}</cite><p>{post.quote}</p></div>',
        "words": f"<p>引用：{post.quote}</p>",
    }[shape.quote]
    return f"{quote}<p>{post.text}</p>"
