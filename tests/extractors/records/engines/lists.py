"""Lists of threads."""

from collections.abc import Callable, Sequence

from tests.extractors.records.engines.content import Line, furniture

Engine = tuple[Callable[[Sequence[Line]], str], str, str, str]
"""How a page is built, its address, how its threads are addressed, and the fields that it shows."""


def discuz_x3(lines: Sequence[Line]) -> str:
    """Discuz! X3: a body of the table for each thread."""

    def one(line: Line) -> str:
        return f"""
        <tbody id="normalthread_{line.number}"><tr><td class="icn"><a href="{line.url}"><img src="/f.gif"></a></td><th class="common"><em>[<a href="/forum-2-1.html">装修</a>]</em>
        <a href="{line.url}" class="s xst">{line.title}</a></th><td class="by"><cite><a href="space-uid-{line.number % 50}.html">{line.author}</a></cite><em><span>{line.when:%Y-%-m-%-d}</span></em></td>
        <td class="num"><a href="{line.url}" class="xi2">{line.replies}</a><em>{line.views}</em></td><td class="by"><cite><a href="space-username-x.html">路人{line.replies}</a></cite>
        <em><a href="forum.php?mod=redirect&tid={line.number}&goto=lastpost">{line.last:%Y-%-m-%-d %H:%M}</a></em></td></tr></tbody>"""

    heads = '<tr class="th"><th colspan="2">标题</th><td class="by">作者</td><td class="num">回复/查看</td><td class="by">最后发表</td></tr>'
    return (
        furniture()
        + f'<div id="threadlist"><table summary="forum_2" id="threadlisttableid"><thead>{heads}</thead>{"".join(map(one, lines))}</table></div>'
    )


def phpbb(lines: Sequence[Line]) -> str:
    """phpBB 3: rows are lists of definitions."""

    def one(line: Line) -> str:
        return f"""
        <li class="row bg{line.number % 2 + 1}"><dl class="row-item topic_read"><dt><div class="list-inner"><a href="{line.url}" class="topictitle">{line.title}</a><br>
        <div class="topic-poster">by <a href="./memberlist.php?mode=viewprofile&amp;u=2" class="username">{line.author}</a> &raquo; {line.when:%a %b %d, %Y %-I:%M %p}</div></div></dt>
        <dd class="posts">{line.replies} <dfn>Replies</dfn></dd><dd class="views">{line.views} <dfn>Views</dfn></dd>
        <dd class="lastpost"><span><dfn>Last post</dfn>by <a href="./memberlist.php?mode=viewprofile&amp;u=9" class="username">guest{line.replies}</a><br>{line.last:%a %b %d, %Y %-I:%M %p}</span></dd></dl></li>"""

    return furniture(False) + f'<div class="forumbg"><ul class="topiclist topics">{"".join(map(one, lines))}</ul></div>'


def xenforo(lines: Sequence[Line]) -> str:
    """XenForo 2: structure items with time elements."""

    def one(line: Line) -> str:
        return f"""
        <div class="structItem structItem--thread js-threadListItem-{line.number}" data-author="{line.author}"><div class="structItem-cell structItem-cell--main"><div class="structItem-title">
        <a href="{line.url}" data-tp-primary="on">{line.title}</a></div><div class="structItem-minor"><ul class="structItem-parts"><li><a href="/members/x.2/" class="username">{line.author}</a></li>
        <li class="structItem-startDate"><a href="{line.url}"><time class="u-dt" datetime="{line.when:%Y-%m-%dT%H:%M:%S+0000}">{line.when:%b %-d, %Y}</time></a></li></ul></div></div>
        <div class="structItem-cell structItem-cell--meta"><dl class="pairs"><dt>Replies</dt><dd>{line.replies}</dd></dl><dl class="pairs structItem-minor"><dt>Views</dt><dd>{line.views}</dd></dl></div>
        <div class="structItem-cell structItem-cell--latest"><a href="{line.url}latest"><time class="structItem-latestDate u-dt">{line.last:%b %-d, %Y at %-I:%M %p}</time></a><div class="structItem-minor"><a href="/members/y.9/" class="username">guest{line.replies}</a></div></div></div>"""

    return furniture(False) + f'<div class="structItemContainer-group js-threadList">{"".join(map(one, lines))}</div>'


ENGINES: dict[str, Engine] = {
    "Discuz! X3": (discuz_x3, "/forum-2-1.html", "/thread-{0}-1-1.html", "chinese"),
    "phpBB": (phpbb, "/viewforum.php?f=2", "/viewtopic.php?t={0}", ""),
    "XenForo": (xenforo, "/forums/pipes.2/", "/threads/pipe.{0}/", ""),
}
