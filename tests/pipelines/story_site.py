"""A site of stories, for crawls whose store dies."""

from collections.abc import Callable

from testbed.hostile.server import Connection

TEXT = "这是一篇关于各地新闻的报道，记者走访了多个地方，了解情况并听取各方意见。" * 8


def story_site(pages: int, title_of: Callable[[int], str]) -> Callable[[Connection], None]:
    """A site with this many pages; page n links to the next three."""

    def site(connection: Connection) -> None:
        name = connection.path.strip("/").removesuffix(".html") or "0"
        if not name.isdigit():
            connection.answer("not here", 404)
            return
        number = int(name)
        links = "".join(f'<a href="/{n}.html">第{n}篇</a>' for n in range(number + 1, min(number + 4, pages)))
        title = title_of(number)
        body = f"<html><head><title>{title}</title></head><body><h1>{title}</h1><p>{TEXT}</p>{links}</body></html>"
        connection.answer(body, Content_Type="text/html; charset=utf-8")

    return site
