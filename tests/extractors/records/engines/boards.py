"""Boards: threads of engines that many sites run."""

from collections.abc import Sequence

from tests.extractors.records.engines.content import Engine, Post, furniture

_SIGNATURE = "生活就是一边走一边修"


def discuz_x3(posts: Sequence[Post]) -> str:
    """Discuz! X3: a table for each post, the profile on the left."""

    def one(post: Post) -> str:
        quote = f'<div class="quote"><blockquote>{post.quote}</blockquote></div><br>' if post.quote else ""
        pid, floor = 880_100 + post.number, post.number + 1
        number = "<em>楼主</em>" if floor == 1 else f"<em>{floor}</em><sup>#</sup>"
        return f"""
        <div id="post_{pid}"><table id="pid{pid}" class="plhin"><tr><td class="pls" rowspan="2"><div id="favatar{pid}" class="pls favatar">
        <div class="pi"><div class="authi"><a href="space-uid-{pid % 97}.html" class="xw1">{post.author}</a></div></div>
        <div class="avatar"><a href="space-uid-{pid % 97}.html"><img src="/a.jpg"></a></div>
        <div class="tns xg2"><table><tr><th><p>12</p>主题</th><th><p>340</p>帖子</th><td><p>{post.likes * 91}</p>积分</td></tr></table></div>
        <p><em><a href="/g">中级会员</a></em></p></div></td>
        <td class="plc"><div class="pi"><strong><a href="#{pid}" id="postnum{pid}">{number}</a></strong><div class="pti"><div class="authi">
        <em id="authorposton{pid}">发表于 {post.when:%Y-%-m-%-d %H:%M}</em><span class="pipe">|</span><a href="?authorid=1">只看该作者</a></div></div></div>
        <div class="pct"><div class="pcb"><div class="t_fsz"><table><tr><td class="t_f" id="postmessage_{pid}">{quote}{post.text}</td></tr></table></div></div></div>
        </td></tr><tr><td class="plc plm"><div class="sign">{_SIGNATURE}</div></td></tr>
        <tr><td class="pls"></td><td class="plc"><div class="po"><em><a class="fastre">回复</a></em><p><a href="/r">举报</a></p></div></td></tr></table></div>"""

    return (
        furniture()
        + f'<h1><span id="thread_subject">水管漏水怎么办</span></h1><div id="postlist" class="pl bm">{"".join(map(one, posts))}</div>'
    )


def discuz_7(posts: Sequence[Post]) -> str:
    """Discuz! 7: postauthor and postcontent cells."""

    def one(post: Post) -> str:
        quote = f'<div class="quote"><h5>引用:</h5><blockquote>{post.quote}</blockquote></div>' if post.quote else ""
        pid = 55_000 + post.number
        return f"""
        <div id="post_{pid}"><table id="pid{pid}" summary="pid{pid}" cellspacing="0"><tr><td class="postauthor" rowspan="2"><div class="postinfo">
        <a href="space.php?uid={pid % 89}">{post.author}</a></div><div class="avatar"><img src="/a.gif"></div><p><em>新手上路</em></p>
        <dl class="profile"><dt>UID</dt><dd>{pid % 89}</dd><dt>帖子</dt><dd>{post.likes}</dd><dt>注册时间</dt><dd>2019-3-4</dd></dl></td>
        <td class="postcontent"><div class="postinfo"><strong><a id="postnum{pid}">{post.number + 1}<sup>#</sup></a></strong>
        <div class="posterinfo"><div class="pagecontrol">打印</div><div class="authorinfo"><em id="authorposton{pid}">发表于 {post.when:%Y-%-m-%-d %H:%M}</em>
        | <a href="?authorid=2">只看该作者</a></div></div></div>
        <div class="postmessage defaultpost"><div class="t_msgfontfix"><table><tr><td class="t_msgfont" id="postmessage_{pid}">{quote}{post.text}</td></tr></table></div></div>
        <div class="signatures">{_SIGNATURE}</div></td></tr></table></div>"""

    return furniture() + f'<div id="postlist" class="mainbox viewthread">{"".join(map(one, posts))}</div>'


def phpbb(posts: Sequence[Post]) -> str:
    """phpBB 3: parity in classes, the profile with a date of its own."""

    def one(post: Post) -> str:
        quote = f"<blockquote><div><cite>somebody wrote:</cite>{post.quote}</div></blockquote>" if post.quote else ""
        return f"""
        <div id="p{30_400 + post.number}" class="post has-profile bg{post.number % 2 + 1}"><div class="inner"><dl class="postprofile"><dt>
        <a href="./memberlist.php?mode=viewprofile&amp;u={post.number}" class="username">{post.author}</a></dt><dd><strong>Posts:</strong> {post.likes}</dd>
        <dd><strong>Joined:</strong> Mon Mar 04, 2019 8:15 am</dd></dl><div class="postbody"><h3><a href="#p{30_400 + post.number}">Re: Leaking pipe</a></h3>
        <p class="author"><a href="./viewtopic.php?p={30_400 + post.number}">Post</a> by <strong>
        <a href="./memberlist.php?mode=viewprofile&amp;u={post.number}" class="username">{post.author}</a></strong> &raquo; {post.when:%a %b %d, %Y %-I:%M %p}</p>
        <div class="content">{quote}{post.text}</div><div class="signature">One pipe at a time.</div></div></div></div>"""

    return (
        furniture(False)
        + f'<h2 class="topic-title"><a href="./viewtopic.php?t=7">Leaking pipe</a></h2>{"<hr>".join(map(one, posts))}'
    )


def vbulletin(posts: Sequence[Post]) -> str:
    """vBulletin 4: a list of postbits, bodies are blockquotes."""

    def one(post: Post) -> str:
        quote = (
            f'<div class="bbcode_container"><div class="bbcode_quote"><div class="quote_container">{post.quote}</div></div></div>'
            if post.quote
            else ""
        )
        return f"""
        <li class="postbitlegacy postbitim postcontainer old" id="post_{71_000 + post.number}"><div class="posthead"><span class="postdate old">
        <span class="date">{post.when:%m-%d-%Y},&nbsp;<span class="time">{post.when:%I:%M %p}</span></span></span><span class="nodecontrols">
        <a class="postcounter" href="#post{71_000 + post.number}">#{post.number + 1}</a></span></div><div class="postdetails"><div class="userinfo">
        <a class="username offline popupctrl" href="member.php?{post.number}-x"><strong>{post.author}</strong></a><span class="usertitle">Senior Member</span>
        <dl class="userinfo_extra"><dt>Join Date</dt><dd>Mar 2019</dd><dt>Posts</dt><dd>{post.likes}</dd></dl></div>
        <div class="postbody"><div class="content"><div id="post_message_{71_000 + post.number}"><blockquote class="postcontent restore">{quote}{post.text}</blockquote></div></div>
        <blockquote class="signature restore">One pipe at a time.</blockquote></div></div></li>"""

    return furniture(False) + f'<div id="postlist"><ol id="posts" class="posts">{"".join(map(one, posts))}</ol></div>'


def xenforo(posts: Sequence[Post]) -> str:
    """XenForo 2: articles with time elements."""

    def one(post: Post) -> str:
        quote = (
            f'<blockquote class="bbCodeBlock bbCodeBlock--quote"><div class="bbCodeBlock-content">{post.quote}</div></blockquote>'
            if post.quote
            else ""
        )
        pid = 91_200 + post.number
        return f"""
        <article class="message message--post js-post" data-author="{post.author}" data-content="post-{pid}" id="js-post-{pid}"><div class="message-inner">
        <div class="message-cell message-cell--user"><section class="message-user"><h4 class="message-name"><a href="/members/x.{post.number}/" class="username">{post.author}</a></h4>
        <h5 class="userTitle message-userTitle">Well-known member</h5><dl class="pairs"><dt>Joined</dt><dd>Mar 4, 2019</dd></dl><dl class="pairs"><dt>Messages</dt><dd>{post.likes}</dd></dl></section></div>
        <div class="message-cell message-cell--main"><header class="message-attribution"><ul class="message-attribution-main"><li><a href="/threads/x.7/post-{pid}">
        <time class="u-dt" datetime="{post.when:%Y-%m-%dT%H:%M:%S%z}" title="{post.when:%b %-d, %Y at %-I:%M %p}">{post.when:%b %-d, %Y}</time></a></li></ul>
        <ul class="message-attribution-opposite"><li><a href="/threads/x.7/post-{pid}">#{post.number + 1}</a></li></ul></header>
        <div class="message-content js-messageContent"><article class="message-body js-selectToQuote"><div class="bbWrapper">{quote}{post.text}</div></article></div>
        <footer class="message-footer"><a class="actionBar-action">Like</a><a class="actionBar-action">Reply</a></footer></div></div></article>"""

    return furniture(False) + f'<div class="block-body js-replyNewMessageContainer">{"".join(map(one, posts))}</div>'


def discourse(posts: Sequence[Post]) -> str:
    """Discourse as it is sent to who runs no script."""

    def one(post: Post) -> str:
        quote = (
            f'<aside class="quote"><div class="title">somebody:</div><blockquote><p>{post.quote}</p></blockquote></aside>'
            if post.quote
            else ""
        )
        return f"""
        <div id="post_{post.number + 1}" itemprop="comment" itemscope itemtype="http://schema.org/Comment" class="topic-body crawler-post"><div class="crawler-post-meta">
        <span class="creator" itemprop="author"><a itemprop="url" href="/u/u{post.number}"><span itemprop="name">{post.author}</span></a></span>
        <span class="crawler-post-infos"><time itemprop="datePublished" datetime="{post.when:%Y-%m-%dT%H:%M:%SZ}" class="post-time">{post.when:%B %-d, %Y, %-I:%M%p}</time>
        <span itemprop="position">{post.number + 1}</span></span></div><div class="post" itemprop="text">{quote}<p>{post.text}</p></div>
        <div itemprop="interactionStatistic" itemscope><span class="post-likes">{post.likes} Likes</span></div></div>"""

    return (
        furniture(False)
        + f'<div id="main-outlet"><div id="topic-title"><h1><a href="/t/7">Leaking pipe</a></h1></div>{"".join(map(one, posts))}</div>'
    )


def flarum(posts: Sequence[Post]) -> str:
    """Flarum's page inside noscript."""

    def one(post: Post) -> str:
        quote = f"<blockquote><p>{post.quote}</p></blockquote>" if post.quote else ""
        return f"""
        <article><div class="PostUser"><h3 class="PostUser-name">{post.author}</h3></div><div class="Post-header"><time>{post.when:%Y-%m-%d %H:%M}</time></div>
        <div class="Post-body">{quote}<p>{post.text}</p></div></article>"""

    return (
        furniture(False)
        + f'<noscript id="flarum-content"><div class="container"><h1>Leaking pipe</h1><div>{"".join(map(one, posts))}</div></div></noscript>'
    )


def nodebb(posts: Sequence[Post]) -> str:
    """NodeBB: components, times in titles, votes."""

    def one(post: Post) -> str:
        quote = f"<blockquote><p>{post.quote}</p></blockquote>" if post.quote else ""
        return f"""
        <li component="post" class="pt-4" data-index="{post.number}" data-pid="{62_000 + post.number}" data-username="{post.author}"><a component="post/anchor" id="{post.number}"></a>
        <div class="post-container"><div class="post-header"><a href="/user/u{post.number}" data-username="{post.author}">{post.author}</a>
        <span class="text-muted">wrote on <a href="/post/{62_000 + post.number}"><span class="timeago" title="{post.when:%Y-%m-%dT%H:%M:%S.000Z}">{post.when:%d %b %Y, %H:%M}</span></a></span>
        <a class="post-index" href="/post/{post.number}">#{post.number + 1}</a></div><div class="content" component="post/content">{quote}<p>{post.text}</p></div>
        <div class="post-footer"><a component="post/reply">Reply</a><a component="post/vote-count" class="votes">{post.likes}</a></div></div></li>"""

    return furniture(False) + f'<ul component="topic" class="posts timeline">{"".join(map(one, posts))}</ul>'


_ALL = "author time text quote first"
ENGINES: dict[str, Engine] = {
    "Discuz! X3": (discuz_x3, "/thread-7-1-1.html", "thread", f"{_ALL} floor"),
    "Discuz! 7": (discuz_7, "/viewthread.php?tid=7", "thread", f"{_ALL} floor"),
    "phpBB": (phpbb, "/viewtopic.php?t=7", "thread", f"{_ALL} english"),
    "vBulletin": (vbulletin, "/showthread.php?7-leaking", "thread", f"{_ALL} floor english"),
    "XenForo": (xenforo, "/threads/leaking.7/", "thread", f"{_ALL} floor english day"),
    "Discourse": (discourse, "/t/leaking/7", "", f"{_ALL} likes english"),
    "Flarum": (flarum, "/d/7-leaking", "thread", f"{_ALL} english"),
    "NodeBB": (nodebb, "/topic/7/leaking", "thread", f"{_ALL} floor likes english"),
}
