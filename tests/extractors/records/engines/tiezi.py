"""Chinese boards of one site each."""

from collections.abc import Sequence
from html import escape
from json import dumps

from tests.extractors.records.engines.content import Engine, Post, furniture


def tieba(posts: Sequence[Post]) -> str:
    """After 贴吧: the data of a post in an attribute, its floor and time in a tail."""

    def one(post: Post) -> str:
        data = escape(
            dumps({"author": {"user_id": 7_000 + post.number}, "content": {"post_id": 33_000_000 + post.number}})
        )
        return f"""
        <div class="l_post j_l_post l_post_bright" data-field="{data}" data-pid="{33_000_000 + post.number}"><div class="d_author"><ul class="p_author">
        <li class="icon"><a href="/home/main?un={post.number}"><img src="/p.jpg"></a></li><li class="d_name"><a class="p_author_name j_user_card" href="/home/main?un={post.number}">{post.author}</a></li>
        <li class="l_badge"><div class="d_badge_title">初级粉丝</div><div class="d_badge_lv">{post.likes % 9 + 1}</div></li></ul></div>
        <div class="d_post_content_main"><div class="p_content"><cc><div id="post_content_{33_000_000 + post.number}" class="d_post_content j_d_post_content">{post.text}</div></cc></div>
        <div class="core_reply"><div class="post-tail-wrap"><span class="tail-info">来自Android客户端</span><span class="tail-info">{post.number + 1}楼</span>
        <span class="tail-info">{post.when:%Y-%m-%d %H:%M}</span></div><a class="lzl_link_unfold">回复({post.likes})</a></div></div></div>"""

    return (
        furniture()
        + f'<h3 class="core_title_txt">水管漏水怎么办</h3><div id="j_p_postlist" class="p_postlist">{"".join(map(one, posts))}</div>'
    )


def tianya(posts: Sequence[Post]) -> str:
    """After 天涯: who and when in a line above the text."""

    def one(post: Post) -> str:
        floor = "" if post.number == 0 else f'<span class="atl-floor">{post.number}楼</span>'
        said = (
            f"楼主：<a href='/u/{post.number}' class='js-vip-check'>{post.author}</a>"
            if post.number == 0
            else f"作者：<a href='/u/{post.number}' class='js-vip-check'>{post.author}</a>"
        )
        return f"""
        <div class="atl-item" id="{post.number}" replyid="{81_000_000 + post.number}"><div class="atl-head"><div class="atl-info"><span>{said}</span>
        <span>时间：{post.when:%Y-%m-%d %H:%M:%S}</span></div></div><div class="atl-content"><div class="atl-con-bd"><div class="bbs-content">{post.text}</div>
        <div class="atl-reply">{floor}<a class="a-link">评论</a><a class="a-link">举报</a></div></div></div></div>"""

    return (
        furniture() + f'<h1 class="atl-title">水管漏水怎么办</h1><div class="atl-main">{"".join(map(one, posts))}</div>'
    )


def nga(posts: Sequence[Post]) -> str:
    """After NGA: a table for each post, ids with the number on the page, quotes in the text."""

    def one(post: Post) -> str:
        at = post.number
        quote = f'<div class="quote">{post.quote}</div>' if post.quote else ""
        return f"""
        <table class="forumbox postbox" cellspacing="1px"><tbody><tr id="post1strow{at}" class="postrow row{at % 2 + 1}"><td class="c1"><span id="posterinfo{at}" class="posterinfo"><div>
        <a href="nuke.php?func=ucp&amp;uid={600_100 + at}" id="postauthor{at}" class="author b">{post.author}</a></div><div class="stat">级别: 学徒 威望: 0 发帖: {post.likes}</div></span></td>
        <td class="c2" id="postcontainer{at}"><div class="postInfo" id="postInfo{at}"><a name="l{at}">#{at}</a> <span id="postdate{at}" title="发表时间">{post.when:%Y-%m-%d %H:%M}</span></div>
        <span id="postcontentandsubject{at}"><h3 id="postsubject{at}"></h3><p id="postcontent{at}" class="postcontent ubbcode">{quote}{post.text}</p></span></td></tr></tbody></table>"""

    return (
        furniture()
        + f'<div id="m_posts" class="module_wrap"><div id="m_posts_c">{"".join(map(one, posts))}</div></div>'
    )


def hupu(posts: Sequence[Post]) -> str:
    """After 虎扑: floors with lights, an answer quotes what it answers."""

    def one(post: Post) -> str:
        quote = (
            f"<blockquote><p><b>引用{post.number}楼 发表的</b></p><p>{post.quote}</p></blockquote>"
            if post.quote
            else ""
        )
        return f"""
        <div class="floor" id="{20_400_000 + post.number}"><div class="user"><a class="headpic" href="/people/{post.number}"><img src="/h.jpg"></a></div><div class="floor_box"><div class="author"><div class="left">
        <a class="u" href="https://my.bbs.example/people/{post.number}">{post.author}</a><span class="stime">{post.when:%Y-%m-%d %H:%M}</span>
        <span class="ilike_icon_list"><a class="ilike">亮了(<span class="stime">{post.likes}</span>)</a></span></div><div class="right"><a class="floornum">{post.number + 1}楼</a></div></div>
        <table class="case"><tbody><tr><td>{quote}{post.text}</td></tr></tbody></table></div></div>"""

    return (
        furniture()
        + f'<div class="bbs_head"><h1 id="j_data">水管漏水怎么办</h1></div><form><div class="mid-middle" id="t_main">{"".join(map(one, posts))}</div></form>'
    )


def v2ex(posts: Sequence[Post]) -> str:
    """A board whose answers are tables, their times told by how long ago they were."""

    def one(post: Post) -> str:
        return f"""
        <div id="r_{13_400_000 + post.number}" class="cell"><table cellpadding="0" width="100%"><tr><td width="48"><img src="/a.png" class="avatar"></td><td width="10"></td><td>
        <div class="fr"><a class="thank">感谢回复者</a> <span class="no">{post.number + 1}</span></div><strong><a href="/member/{post.number}" class="dark">{post.author}</a></strong>
        <span class="ago" title="{post.when:%Y-%m-%d %H:%M:%S} +08:00">{post.shown or f"{post.when:%Y-%m-%d %H:%M}"}</span><div class="reply_content">{post.text}</div></td></tr></table></div>"""

    return (
        furniture()
        + f'<div class="box"><div class="header"><h1>水管漏水怎么办</h1></div></div><div class="box">{"".join(map(one, posts))}</div>'
    )


ENGINES: dict[str, Engine] = {
    "贴吧": (tieba, "/p/9010203", "thread", "author time text floor first"),
    "天涯": (tianya, "/post-free-7-1.shtml", "thread", "author time text first"),
    "NGA": (nga, "/read.php?tid=7", "thread", "author time text quote first"),
    "虎扑": (hupu, "/7.html", "thread", "author time text quote floor first"),
    "V2EX": (v2ex, "/t/7", "thread", "author time text first"),
}
