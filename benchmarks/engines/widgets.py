"""Mounts comment widgets of npm and PyPI in Chromium against answers of our own, and saves what they show.

    python -m benchmarks.engines.widgets ENGINE OUTPUT < requests > pages

Needs playwright and Chromium. The clock stands at the day after the last post, so that relative times stay the same.
"""

import json
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, Route, sync_playwright

Post = dict[str, Any]
_NOW = datetime(2026, 11, 21, 12)
_SITE, _SERVER = "https://site.example", "https://answers.example"


def _roots(posts: list[Post]) -> list[tuple[Post, list[Post]]]:
    """Each third post answers the one before it that answers none."""
    found: list[tuple[Post, list[Post]]] = []
    for post in posts:
        if found and post["number"] % 3 == 2:
            found[-1][1].append(post)
        else:
            found.append((post, []))
    return found


def _in_order(posts: list[Post]) -> list[tuple[Post, Post | None]]:
    """The posts as a nested list shows them, each with the post that it answers."""
    return [(post, None if post is root else root) for root, answers in _roots(posts) for post in (root, *answers)]


def _milliseconds(post: Post) -> int:
    return int(datetime.fromisoformat(post["time"]).timestamp() * 1000)


def _waline(posts: list[Post], address: str, _: str) -> Any:
    def one(post: Post, answers: list[Post], root: Post | None) -> Post:
        made = {
            "objectId": str(post["number"] + 1), "nick": post["author"], "avatar": f"{_SITE}/a.png", "comment": post["html"],
            "orig": "", "link": f"{_SITE}/u" if post["pictured"] else "", "mail": "", "time": _milliseconds(post),
            "like": post["votes"], "status": "approved", "browser": "Firefox 140", "os": "Linux", "addr": "",
            "children": [one(each, [], post) for each in answers],
        }  # fmt: skip
        if root:
            made |= {
                "pid": str(root["number"] + 1),
                "rid": str(root["number"] + 1),
                "reply_user": {"nick": root["author"]},
            }
        return made

    if "/api/comment" not in address:
        return {"errno": 0, "errmsg": "", "data": []}
    data = [one(post, answers, None) for post, answers in _roots(posts)]
    return {
        "errno": 0,
        "errmsg": "",
        "data": {"page": 1, "totalPages": 1, "pageSize": 99, "count": len(posts), "data": data},
    }


def _artalk(posts: list[Post], address: str, _: str) -> Any:
    if "/conf" in address:
        return {"frontend_conf": {}, "version": {"version": "2.9.1", "commit_hash": ""}}
    data = [
        {
            "id": post["number"] + 1, "rid": root["number"] + 1 if root else 0, "content": post["html"], "content_marked": post["html"],
            "user_id": post["number"] + 9, "nick": post["author"], "email_encrypted": "0" * 32,
            "link": f"{_SITE}/u" if post["pictured"] else "", "ua": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0",
            "date": post["time"].replace("T", " ")[:19], "is_collapsed": False, "is_pending": False, "is_pinned": False,
            "is_allow_reply": True, "badge_name": "", "badge_color": "", "vote_up": post["votes"], "vote_down": 0, "visible": True,
            "page_key": "/p", "page_url": "/p", "site_name": "s", "ip_region": "",
        }
        for post, root in _in_order(posts)
    ]  # fmt: skip
    page = {"id": 1, "key": "/p", "url": "/p", "title": "", "admin_only": False, "vote_up": 0, "vote_down": 0, "pv": 9}
    return {"comments": data, "count": len(data), "roots_count": len(_roots(posts)), "page": page, "data": {}}


def _twikoo(posts: list[Post], _: str, asked: str) -> Any:
    def one(post: Post, answers: list[Post], root: Post | None) -> Post:
        name = str(post["number"] + 1)
        return {
            "id": name, "nick": post["author"], "avatar": f"{_SITE}/a.png", "mailMd5": "", "comment": post["html"],
            "link": f"{_SITE}/u" if post["pictured"] else "", "os": "Linux", "browser": "Firefox 140", "ipRegion": "", "master": False,
            "like": post["votes"], "liked": False, "replies": [one(each, [], post) for each in answers], "top": False,
            "rid": str(root["number"] + 1) if root else "", "pid": str(root["number"] + 1) if root else "",
            "ruser": root["author"] if root else None, "isSpam": False, "created": _milliseconds(post), "updated": _milliseconds(post),
        }  # fmt: skip

    event = json.loads(asked or "{}").get("event", "")
    if event == "COMMENT_GET":
        return {
            "code": 0,
            "data": [one(post, answers, None) for post, answers in _roots(posts)],
            "count": len(posts),
            "more": False,
        }
    return {
        "code": 0,
        "accessToken": "x",
        "config": {"VERSION": "1.7.9", "IS_ADMIN": False, "SHOW_EMOTION": "false"},
        "data": [],
    }


def _gitalk(posts: list[Post], address: str, _: str) -> Any:
    issue = {
        "number": 1, "id": 1, "comments": len(posts), "comments_url": f"{_SERVER}/issues/1/comments", "html_url": f"{_SERVER}/1",
        "title": "", "body": "",
    }  # fmt: skip
    if "comments" not in address:
        return [issue] if "labels" in address else issue
    return [
        {
            "id": post["number"] + 1, "body": "", "body_html": post["html"], "created_at": post["time"][:19] + "Z",
            "html_url": f"{_SERVER}/1#{post['number']}", "reactions": {"totalCount": 0, "viewerHasReacted": False, "nodes": []},
            "user": {"login": post["author"], "avatar_url": f"{_SITE}/a.png", "html_url": f"{_SITE}/{post['number']}"},
        }
        for post in posts
    ]  # fmt: skip


def _disqusjs(posts: list[Post], address: str, _: str) -> Any:
    if "listPosts" not in address:
        thread = {"id": "7", "title": "", "isClosed": False, "posts": len(posts), "likes": 3, "link": _SITE}
        return {"code": 0, "response": [thread] if "list" in address else thread}
    data = [
        {
            "id": str(post["number"] + 1), "parent": root["number"] + 1 if root else None, "createdAt": post["time"][:19], "thread": "7",
            "message": post["html"], "depth": int(bool(root)), "isDeleted": False, "media": [], "hasMore": False, "likes": post["votes"],
            "author": {
                "name": post["author"], "username": post["author"], "profileUrl": f"{_SITE}/{post['number']}", "url": "",
                "avatar": {"cache": f"{_SITE}/a.png"},
            },
        }
        for post, root in _in_order(posts)
    ]  # fmt: skip
    return {"code": 0, "cursor": {"hasNext": False, "next": ""}, "response": data}


def _isso(posts: list[Post], address: str, _: str) -> Any:
    def one(post: Post, answers: list[Post], parent: int | None) -> Post:
        return {
            "id": post["number"] + 1, "parent": parent, "text": post["html"], "author": post["author"], "mode": 1, "hash": "0a1b2c3d",
            "website": f"{_SITE}/u" if post["pictured"] else None, "created": _milliseconds(post) / 1000, "modified": None,
            "likes": post["votes"], "dislikes": 0, "total_replies": len(answers), "hidden_replies": 0, "gravatar_image": None,
            "replies": [one(each, [], post["number"] + 1) for each in answers], "notification": 0,
        }  # fmt: skip

    if "/config" in address:
        return {"config": {"reply-to-self": False, "require-author": False, "require-email": False, "gravatar": False}}
    if "/count" in address:
        return [len(posts)]
    replies = [one(post, answers, None) for post, answers in _roots(posts)]
    return {"id": None, "total_replies": len(replies), "hidden_replies": 0, "replies": replies, "config": {}}


_Answers = Callable[[list[Post], str, str], Any]
# Each engine: its answers; its script within OUTPUT; how it is mounted; where it shows the time of a post; its names of languages.
_ENGINES: dict[str, tuple[_Answers, str, str, str, dict[str, str]]] = {
    "waline": (
        _waline,
        "node/node_modules/@waline/client/dist/waline.js",
        "<script type=module>import {{ init }} from '{script}'; init({{ el: '#thread', serverURL: '{server}', lang: '{lang}', path: '/p', "
        "emoji: false, search: false, imageUploader: false, login: 'disable' }});</script>",
        ".wl-time",
        {"zh": "zh-CN", "zh-hant": "zh-TW", "ja": "jp-JP", "ru": "ru-RU", "fr": "fr-FR", "es": "es-MX"},
    ),
    "artalk": (
        _artalk,
        "node/node_modules/artalk/dist/Artalk.js",
        "<script src='{script}'></script><script>Artalk.init({{ el: '#thread', pageKey: '/p', server: '{server}', site: 's', "
        "locale: '{lang}', useBackendConf: false, emoticons: false, flatMode: false }});</script>",
        ".atk-date",
        {"zh": "zh-CN", "zh-hant": "zh-TW"},
    ),
    "twikoo": (
        _twikoo,
        "node/node_modules/twikoo/dist/twikoo.all.min.js",
        "<script src='{script}'></script><script>twikoo.init({{ envId: '{server}', el: '#thread', lang: '{lang}', path: '/p' }});</script>",
        ".tk-time",
        {"zh": "zh-CN", "zh-hant": "zh-TW"},
    ),
    "gitalk": (
        _gitalk,
        "node/node_modules/gitalk/dist/gitalk.min.js",
        "<script src='{script}'></script><script>new Gitalk({{ clientID: 'a', clientSecret: 'b', repo: 'r', owner: 'o', admin: ['o'], "
        "id: 'p', language: '{lang}', pagerDirection: 'first', perPage: 99 }}).render('thread');</script>",
        ".gt-comment-date",
        {"zh": "zh-CN", "zh-hant": "zh-TW", "es": "es-ES"},
    ),
    "disqusjs": (
        _disqusjs,
        "node/node_modules/disqusjs/dist/browser/disqusjs.es2015.umd.min.js",
        "<div id=disqus_thread></div><script src='{script}'></script><script>new DisqusJS({{ shortname: 's', siteName: 's', "
        "identifier: 'p', url: '{site}/p', api: '{server}/', apikey: 'k', admin: 'o', adminLabel: 'Mod' }})"
        ".render(document.getElementById('thread'));</script>",
        ".dsqjs-meta",
        {},
    ),
    "isso": (
        _isso,
        "packages/isso/isso/js/embed.min.js",
        "<section id='isso-thread'></section><script data-isso='{server}/' data-isso-lang='{lang}' data-isso-vote='true' "
        "data-isso-reply-notifications='false' src='{script}'></script>",
        ".isso-comment-header time",
        {"zh": "zh_CN", "zh-hant": "zh_TW"},
    ),
}  # fmt: skip
_PAGE = (
    "<!DOCTYPE html><html lang='{lang}'><head><meta charset='utf-8'><title>{title}</title></head><body>"
    "<header><a href='/'>Home</a></header>"
    "<main><article><h1>{title}</h1><p>{opening}</p></article><div id='thread'></div>{mount}</main></body></html>"
)


def _shown(page: Page, engine: str, request: dict[str, Any], output: Path) -> dict[str, Any]:
    answers, script, mount, time, languages = _ENGINES[engine]
    topic = request["topics"][0]
    posts, language = topic["posts"], request["language"]
    given = {"script": f"{_SITE}/{script}", "server": _SERVER, "site": _SITE, "lang": languages.get(language, language)}
    html = _PAGE.format(lang=language, title=topic["title"], opening=topic["title"], mount=mount.format(**given))

    def answer(route: Route) -> None:
        address = route.request.url
        allowed = {
            "Access-Control-Allow-Origin": _SITE, "Access-Control-Allow-Headers": "*", "Access-Control-Allow-Credentials": "true",
            "Access-Control-Expose-Headers": "Date", "Date": f"{_NOW:%a, %d %b %Y %H:%M:%S} GMT",
        }  # fmt: skip
        if address == f"{_SITE}/p":
            route.fulfill(body=html, content_type="text/html; charset=utf-8")
        elif address.startswith(_SITE) and (output / address.removeprefix(_SITE + "/")).is_file():
            route.fulfill(path=output / address.removeprefix(_SITE + "/"))
        elif "answers.example" in address or "api.github.com" in address:
            route.fulfill(json=answers(posts, address, route.request.post_data or ""), headers=allowed)
        else:
            route.abort()

    page.unroute_all()
    page.route("**/*", answer)
    page.goto(f"{_SITE}/p")
    page.wait_for_function(
        "([time, number]) => document.querySelectorAll(time).length >= number", arg=[time, len(posts)], timeout=8000
    )
    times = page.eval_on_selector_all(time, "all => all.map(each => each.innerText.trim())")
    order = posts if engine == "gitalk" else [each for each, _ in _in_order(posts)]
    records = [
        {"author": each["author"], "text": each["text"], "time": shown}
        for each, shown in zip(order, times, strict=True)
    ]
    return {"html": page.content(), "records": records}


def main() -> None:
    """See the module's text."""
    engine, output = sys.argv[1], Path(sys.argv[2])
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        page = browser.new_page(timezone_id="UTC")
        page.clock.set_fixed_time(_NOW)
        made = [_shown(page, engine, each, output) for each in json.load(sys.stdin)]
        browser.close()
    json.dump(made, sys.stdout)


main()
