"""Comments under articles, reviews, and comments in a tree."""

from collections.abc import Callable, Sequence

from tests.extractors.records.engines.content import Engine, Post, furniture

ARTICLE = (
    "市水务局昨天公布了老旧小区供水管道改造的安排，第一批共涉及四十二个小区。",
    "改造从下月开始，工期大约三个月，施工期间白天停水，晚上恢复，具体时间由各社区提前通知。",
    "负责人介绍，新管道采用球墨铸铁，使用寿命在五十年以上，漏损率可以降到百分之八以下。",
    "居民如果发现家中水压异常或水质浑浊，可以拨打服务热线，工作人员会在两小时内上门查看。",
)


def _article() -> str:
    text = "".join(f"<p>{paragraph}</p>" for paragraph in ARTICLE)
    return f'<article class="post"><h1 class="entry-title">老旧小区换水管</h1><div class="entry-content">{text}</div></article>'


def _tree(posts: Sequence[Post], one: Callable[[Post, str], str], parent: int = -1) -> str:
    return "".join(one(post, _tree(posts, one, post.number)) for post in posts if post.parent == parent)


def wordpress(posts: Sequence[Post]) -> str:
    """WordPress: an article, under it a list of comments with lists of answers inside."""

    def one(post: Post, answers: str) -> str:
        depth = 1 if post.parent < 0 else 2 if post.parent != 1 else 3
        inside = f'<ol class="children">{answers}</ol>' if answers else ""
        return f"""
        <li id="comment-{48_000 + post.number}" class="comment {("even", "odd")[post.number % 2]} thread-even depth-{depth}"><article id="div-comment-{48_000 + post.number}" class="comment-body">
        <footer class="comment-meta"><div class="comment-author vcard"><img class="avatar" src="/a.png"><b class="fn"><a href="http://u{post.number}.example/">{post.author}</a></b>
        <span class="says">说道：</span></div><div class="comment-metadata"><a href="#comment-{48_000 + post.number}"><time datetime="{post.when:%Y-%m-%dT%H:%M:%S+00:00}">{post.when:%Y-%m-%d %H:%M}</time></a></div></footer>
        <div class="comment-content"><p>{post.text}</p></div><div class="reply"><a class="comment-reply-link" href="?replytocom={post.number}">回复</a></div></article>{inside}</li>"""

    head = f'<h2 class="comments-title">《老旧小区换水管》有{len(posts)}个想法</h2>'
    return (
        furniture()
        + _article()
        + f'<div id="comments" class="comments-area">{head}<ol class="comment-list">{_tree(posts, one)}</ol></div>'
    )


def disqus(posts: Sequence[Post]) -> str:
    """After Disqus: posts with children lists, times told by how long ago they were."""

    def one(post: Post, answers: str) -> str:
        return f"""
        <li class="post" id="post-{59_000_000 + post.number}"><div class="post-content"><div class="avatar"><a href="/by/u{post.number}/"><img src="/a.png"></a></div><div class="post-body"><header>
        <span class="post-byline"><span class="author publisher-anchor-color"><a href="/by/u{post.number}/">{post.author}</a></span></span><span class="post-meta"><span class="bullet">•</span>
        <a class="time-ago" href="#comment-{post.number}" title="{post.when:%A, %B %-d, %Y %-I:%M %p}">{post.shown or f"{post.when:%b %-d, %Y}"}</a></span></header>
        <div class="post-body-inner"><div class="post-message-container"><div class="post-message"><p>{post.text}</p></div></div></div>
        <footer><ul class="comment-footer__menu"><li class="voting"><a class="vote-up"><span class="count">{post.likes}</span></a></li><li class="reply"><a>Reply</a></li></ul></footer></div></div>
        <ul class="children">{answers}</ul></li>"""

    return furniture(False) + f'<div id="posts"><ul id="post-list" class="post-list">{_tree(posts, one)}</ul></div>'


def jd(posts: Sequence[Post]) -> str:
    """After 京东: reviews with stars, what was bought, and how many found them useful."""

    def one(post: Post) -> str:
        return f"""
        <div class="comment-item" data-guid="g{post.number}"><div class="user-column"><div class="user-info"><img class="avatar" src="/a.jpg">{post.author}</div><div class="user-level">PLUS会员</div></div>
        <div class="comment-column J-comment-column"><div class="comment-star star{post.number % 3 + 3}"></div><p class="comment-con">{post.text}</p>
        <div class="comment-message"><div class="order-info"><span>银色</span><span>8升</span><span>{post.when:%Y-%m-%d %H:%M}</span></div>
        <div class="comment-op"><a class="J-nice"><i class="sprite-praise"></i>{post.likes}</a><a href="#none"><i class="sprite-comment"></i>{post.likes % 7}</a></div></div></div></div>"""

    goods = "".join(f'<li><a href="/item/{n}.html">电热水壶 {n}</a><span>￥{n}9.00</span></li>' for n in range(1, 9))
    return (
        furniture()
        + f'<ul class="goods-list">{goods}</ul><div id="comment" class="m-content comment"><div id="comment-0">{"".join(map(one, posts))}</div></div>'
    )


def hacker_news(posts: Sequence[Post]) -> str:
    """After Hacker News: a table in every row, depth by the width of a picture."""

    def one(post: Post) -> str:
        depth = 0 if post.parent < 0 else 1 if post.parent != 1 else 2
        return f"""
        <tr class="athing comtr" id="{38_000_000 + post.number}"><td><table border="0"><tr><td class="ind" indent="{depth}"><img src="s.gif" height="1" width="{40 * depth}"></td><td class="votelinks"><center><a href="vote?id={post.number}">
        <div class="votearrow"></div></a></center></td><td class="default"><div style="margin-top:2px"><span class="comhead"><a href="user?id={post.author}" class="hnuser">{post.author}</a>
        <span class="age" title="{post.when:%Y-%m-%dT%H:%M:%S}"><a href="item?id={38_000_000 + post.number}">{post.when:%Y-%m-%d %H:%M}</a></span> <span class="navs">| <a href="#x">next</a> [–]</span></span></div><br>
        <div class="comment"><div class="commtext c00">{post.text}</div><div class="reply"><p><u><a href="reply?id={post.number}">reply</a></u></p></div></div></td></tr></table></td></tr>"""

    return f'<center><table id="hnmain"><tr><td><a href="news">new</a> | <a href="ask">ask</a></td></tr><tr><td><table class="comment-tree">{"".join(map(one, posts))}</table></td></tr></table></center>'


ENGINES: dict[str, Engine] = {
    "WordPress": (wordpress, "/2026/11/pipes/", "comments", "author time text parent"),
    "Disqus": (disqus, "/embed/comments/", "", "author text likes parent english day"),
    "京东": (jd, "/item/100.html", "", "author time text"),
    "Hacker News": (hacker_news, "/item?id=38000000", "comments", "author time text english"),
}
