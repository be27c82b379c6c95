"""Questions and answers."""

from collections.abc import Sequence

from tests.extractors.records.engines.content import Engine, Post, furniture


def stack_exchange(posts: Sequence[Post]) -> str:
    """After Stack Exchange: a question, then its answers, each with votes and who edited it."""

    def one(post: Post) -> str:
        kind = "question" if post.number == 0 else "answer"
        said = "asked" if post.number == 0 else "answered"
        return f"""
        <div id="{kind}-{66_100 + post.number}" class="{kind} js-{kind}" data-{kind}id="{66_100 + post.number}"><div class="post-layout"><div class="votecell post-layout--left"><div class="js-voting-container">
        <button aria-label="Up vote"></button><div class="js-vote-count" itemprop="upvoteCount">{post.likes}</div><button aria-label="Down vote"></button></div></div>
        <div class="{kind}cell post-layout--right"><div class="s-prose js-post-body" itemprop="text"><p>{post.text}</p></div><div class="post-signature"><div class="user-info">
        <div class="user-action-time">{said} <span title="{post.when:%Y-%m-%d %H:%M:%SZ}" class="relativetime">{post.when:%b %-d, %Y at %H:%M}</span></div>
        <div class="user-details" itemprop="author"><a href="/users/{post.number}/x">{post.author}</a><span class="reputation-score">{post.likes * 13}</span></div></div></div></div></div></div>"""

    return (
        furniture(False)
        + f'<div id="mainbar"><h1 itemprop="name"><a href="/questions/7">How do I mend a pipe?</a></h1>{"".join(map(one, posts))}</div>'
    )


def zhihu(posts: Sequence[Post]) -> str:
    """After 知乎: answers with votes in a button and the time below."""

    def one(post: Post) -> str:
        return f"""
        <div class="List-item"><div class="ContentItem AnswerItem" name="{90_200_000 + post.number}" itemprop="suggestedAnswer"><div class="ContentItem-meta"><div class="AuthorInfo" itemprop="author"><meta itemprop="name" content="{post.author}">
        <a class="UserLink-link" href="/people/u{post.number}">{post.author}</a><div class="AuthorInfo-badge">修了十年水管</div></div></div><div class="RichContent"><span class="RichText ztext CopyrightRichText-richText" itemprop="text"><p>{post.text}</p></span>
        <div class="ContentItem-time"><a href="/answer/{90_200_000 + post.number}"><span>发布于 {post.when:%Y-%m-%d %H:%M}</span></a></div>
        <div class="ContentItem-actions"><button class="VoteButton VoteButton--up">赞同 {post.likes}</button><button>{post.likes % 9} 条评论</button></div></div></div></div>"""

    return (
        furniture()
        + f'<h1 class="QuestionHeader-title">水管漏水怎么办</h1><div class="List" id="QuestionAnswers-answers">{"".join(map(one, posts))}</div>'
    )


ENGINES: dict[str, Engine] = {
    "Stack Exchange": (stack_exchange, "/questions/7/how", "qa", "author time text likes english"),
    "知乎": (zhihu, "/question/7", "qa", "author time text"),
}
