"""Streams of posts, some of which pass on an older post of another; and feeds of entries."""

from collections.abc import Mapping, Sequence
from datetime import timedelta

from tests.extractors.records.engines.content import Post, furniture

BOXES = ("card-feed-inner", "quoted-status", "WB_media_expand")
"""What templates call the box of the post that is passed on; one calls it a quote."""


def stream(posts: Sequence[Post], passed_on: Mapping[int, Post], box: str) -> str:
    """A stream with the posts passed on by number of the post that does; both are written alike."""
    cards = "".join(
        f'<div class="card" mid="{9000 + post.number}">{_said(post)}{_inner(passed_on.get(post.number), box)}<ul class="act">'
        f"<li>转发 {post.number + 2}</li><li>评论 {post.number * 3}</li><li>赞 {post.number * 7 + 1}</li></ul></div>"
        for post in posts
    )
    return f'{furniture()}<div id="stream">{cards}</div>'


def _said(post: Post) -> str:
    return (
        f'<div class="info"><a class="name" href="/u/{300 + post.number}">{post.author}</a></div>'
        f'<div class="from">{post.when:%Y-%m-%d %H:%M}</div><p class="txt">{post.text}</p>'
    )


def _inner(post: Post | None, box: str) -> str:
    return f'<div class="{box}">{_said(post)}</div>' if post else ""


def originals(posts: Sequence[Post], others: Sequence[Post], numbers: Sequence[int]) -> dict[int, Post]:
    """By number of a post the older one that it passes on."""
    return {
        number: Post(100 + number, f"{other.author}二号", posts[number].when - timedelta(days=3), other.text * 2)
        for number, other in zip(numbers, others, strict=False)
    }


def rss(posts: Sequence[Post]) -> str:
    """A feed with an entry for each post."""
    entries = "".join(
        f"<item><title>Re: {post.number}</title><link>http://bbs.example/t/{post.number}</link><dc:creator>{post.author}</dc:creator>"
        f"<pubDate>{post.when:%a, %d %b %Y %H:%M:%S} GMT</pubDate><description>{post.text}</description></item>"
        for post in posts
    )
    head = '<?xml version="1.0" encoding="utf-8"?><rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/">'
    return f"{head}<channel><title>Board</title>{entries}</channel></rss>"


def atom(posts: Sequence[Post]) -> str:
    """The same as Atom."""
    entries = "".join(
        f'<entry><title>Re: {post.number}</title><link href="http://bbs.example/t/{post.number}"/><author><name>{post.author}</name>'
        f"</author><updated>{post.when:%Y-%m-%dT%H:%M:%SZ}</updated><content>{post.text}</content></entry>"
        for post in posts
    )
    head = '<?xml version="1.0" encoding="utf-8"?><feed xmlns="http://www.w3.org/2005/Atom">'
    return f"{head}<title>Board</title>{entries}</feed>"
