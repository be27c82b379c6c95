"""Renders pages of forums written with Django by their own templates and translations, without their code.

    python -m benchmarks.engines.django_pages ENGINE PACKAGES < requests > pages

Tags and filters that are not Django's own do nothing, or hand on their first argument. Needs Django; runs in a process of its own
for each engine, since Django has one catalogue of translations.
"""

import json
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import django
from django.conf import settings
from django.template import Context, Engine
from django.utils import formats, translation
from django.utils.safestring import mark_safe
from django.utils.text import Truncator
from django.utils.timesince import timesince

from benchmarks.engines.django_lenient import make_lenient

_CODES = {"zh": "zh-hans", "zh-hant": "zh-hant"}


class _Named(SimpleNamespace):
    """An object with attributes that is written as its name."""

    def __str__(self) -> str:
        return str(getattr(self, "name", ""))


class _Pages(list[Any]):
    """A page of things."""

    start_index = 1


def _part(name: str, given: str) -> Callable[[Any, Context], str]:
    """Renders a template of the engine with a value under this name."""
    return lambda value, context: context.template.engine.get_template(name).render(Context({given: value}))


_MARKUP: dict[str, Callable[[Any, Context], Any]] = {
    "post_render_comment": lambda comment, _: comment.html,
    "render_xtdcomment_tree": _part("django_comments_xtd/comment_tree.html", "comments"),
    "pybb_time": lambda time, _: formats.date_format(time, "d M, Y H:i"),
    "render_comment": _part("comments/comment.html", "comment"),
    "comment_thread": lambda above, context: _part("generic/includes/comment.html", "comments_for_thread")(
        above.answers, context
    ),
    "bbcode": lambda text, _: text,
    "fluent_comments_list": lambda _, context: _part("fluent_comments/templatetags/flat_list.html", "comment_list")(
        context["comment_list"], context
    ),
}


_FILTERS = {
    "shortnaturaltime": lambda time, *_: _time("spirit", time),
    "pybbm_calc_topic_views": lambda topic, *_: topic.views,
    "render": lambda given, *_: getattr(given, "html", given),
    "styled_username": lambda person, *_: person.username,
    "num_comments": lambda thread, *_: thread.replies,
    "date_with_senders_timezone": lambda post, *_: post.date,
    "lbtimesince": lambda time, *_: time,
    "topic_can_post": lambda *_: False,
    "may_vote": lambda *_: False,
    "can_post": lambda *_: False,
    "can_delete": lambda *_: False,
    "can_edit": lambda *_: False,
}


def _post(made: dict[str, Any], topic: dict[str, Any]) -> _Named:
    """A post with the names that any of the engines uses."""
    time, html = datetime.fromisoformat(made["time"]).replace(tzinfo=None), mark_safe(made["html"])
    rank = _Named(css_class="", is_tab=False, title="")
    picture = _Named(url=f"/media/{made['number']}.png") if made["pictured"] else ""
    slug = f"/user/{sum(map(ord, made['author']))}/"
    person = _Named(
        name=made["author"], username=made["author"], get_any_title=topic["words"]["posts"], rank=rank, posts=211, pk=4,
        get_absolute_url=slug, get_display_name=made["author"], get_full_name="", signature=made["signature"],
        signature_html=mark_safe(made["signature"]), avatar=picture, small_avatar_url=f"/media/{made['number']}.png",
        nickname=made["author"], posts_count=211, id=4, date_joined=datetime(2019, 4, 5, 6, 7), address="a@example.org", mailman_id="",
        profile=_Named(image=picture, post_count=211), lbforum_profile=_Named(name=made["author"], get_avatar_url="/a.png"),
    )  # fmt: skip
    person.st, person.user = person, person
    person.forum_profile = _Named(avatar=picture, user=person, posts_count=211, signature="")
    if made["signature"]:
        person.forum_profile.signature = _Named(rendered=made["signature"])
    number = made["number"] + 1
    return _Named(
        id=number, pk=number, number=number, subject=topic["title"], poster=person, poster_id=number, user=person, user_id=number,
        created=time, posted_on=time, date=time, submit_date=time, content=_Html(html), html=html, body_html=html, comment=html,
        is_valid=True, is_read=True, enable_signature=True, name=made["author"], url=slug if made["pictured"] else "", allow_thread=True,
        get_absolute_url=f"/post/{number}/", get_reply_url=f"/reply/{number}/", acl=_Named(can_reply=True), likes_count=made["votes"],
        modified_count=0, user_email="a@example.org", likedit=[], dislikedit=[], sender=person, sender_name=made["author"], message=html,
        message_id_hash=f"{number:032x}", created_at=time, created_on=time, posted_by=person, index=number, is_public=True, answers=[],
        user_name=made["author"], body=html, reviewer_name=made["author"], date_created=time, score=4,
        title=made["paragraphs"][0][:24], thread=None,
        has_votes=made["votes"], num_up_votes=made["votes"], total_votes=made["votes"] + 2, likes=made["votes"], dislikes=0,
    )  # fmt: skip


class _Html(str):
    """Markup, also under the name `rendered`."""

    def __html__(self) -> str:
        return str(self)

    @property
    def rendered(self) -> str:
        """The markup."""
        return mark_safe(str(self))


def _topic(made: dict[str, Any], number: int) -> _Named:
    posts = [_post(each, made) for each in (made["posts"][0], made["posts"][-1])]
    forum = _Named(
        name=made["words"]["posts"], title=made["words"]["posts"], slug="talk", pk=3, get_absolute_url="/forum/3/"
    )
    last = posts[-1]
    starter, time, replies = posts[0].poster, posts[0].created, made["replies"]
    return _Named(
        pk=number, id=number, subject=made["title"], title=made["title"], name=made["title"], slug=f"t{number}", forum=forum,
        category=forum, poster=starter, poster_id=5, user_id=5, user=starter, starter=starter, starter_id=5, starter_slug="s",
        starter_name=made["author"], created=time, started_on=time, is_read=True, first_post=posts[0], posts_count=replies + 1,
        post_count=replies + 1, comment_count=replies, replies=replies, views_count=made["views"], views=made["views"],
        view_count=made["views"], last_post=last, last_active=last.created, last_poster=last.poster, last_poster_id=6,
        last_post_on=last.created, get_absolute_url=f"/topic/{number}/", get_bookmark_url=f"/topic/{number}/", weight=0,
        get_last_post_url=f"/topic/{number}/last/", updated=last.created, head=posts[0], starting_email=posts[0], date_active=last.created,
        participants_count=min(8, replies + 1), thread_id=number, subcategory=forum, created_at=time, latest_post=last, num_replies=replies,
        num_views=made["views"], posted_by=starter, content=posts[0].content, post=posts[0], likes=3, dislikes=0, t_type="",
        comment_count_is=replies, html_content=posts[0].html, content_template="zinnia/_entry_detail.html",
    )  # fmt: skip


_TEMPLATES = {
    "machina": ("forum_conversation/topic_detail.html", "forum_conversation/topic_list.html"),
    "spirit": ("spirit/topic/detail.html", "spirit/topic/active.html"),
    "misago": ("misago/thread/thread.html", "misago/threadslist/threads.html"),
    "pybb": ("pybb/topic.html", "pybb/forum.html"),
    "xtd": ("django_comments_xtd/comment_tree.html", ""),
    "xtdflat": ("comments/list.html", ""),
    **{f"wordpress-{theme}": (f"{theme}.html", "") for theme in ("html5", "html4", "blocks")},
    "hyperkitty": ("hyperkitty/thread.html", "hyperkitty/thread_list.html"),
    "punkweb": ("punkweb_bb/thread.html", "punkweb_bb/subcategory.html"),
    "lbforum": ("lbforum/topic.html", "lbforum/forum.html"),
    "zinnia": ("zinnia/entry_detail_base.html", ""),
    "fluent": ("comments/list.html", ""),
    "mezzanine": ("generic/includes/comments.html", ""),
    "oscar": ("", ""),
}
_REVIEWS = (
    "<section>{% for review in reviews %}{% include 'oscar/catalogue/partials/review.html' %}{% endfor %}</section>"
)
_BASE = "<html><body><h2>{% block title %}{% endblock %}</h2>{% block content %}{% endblock %}</body></html>"
_ALONE = "<html><head><title>{0}</title></head><body><header><a href='/'>Home</a></header><main><h1>{0}</h1>{1}</main></body></html>"
_SHORT = {"misago"}
"""Engines whose lists show only the day of the last answer."""


def _page(engine: Engine, name: str, topics: list[dict[str, Any]]) -> dict[str, Any]:
    shown = [_topic(made, number) for number, made in enumerate(topics, 41)]
    posts = _Pages(_post(each, topics[0]) for each in topics[0]["posts"])
    given = {
        **dict.fromkeys(("topics", "threads", "topic_list", "object_list", "threads_list"), _Pages(shown)),
        **dict.fromkeys(("posts", "post_list", "comments", "comment_list"), posts),
        "topic": shown[0], "thread": shown[0], "forum": shown[0].forum, "category": shown[0].forum, "user": None,
        "words": topics[0]["words"], "topic_list_title": topics[0]["words"]["posts"], "MACHINA_BASE_TEMPLATE_NAME": "_base.html",
        "PYBB_TEMPLATE": engine.from_string(_BASE), "list_page": _Named(start=0, object_list=shown),
    }  # fmt: skip
    given |= _also(name, shown, posts)
    days = [formats.date_format(post.created, "j M") for post in posts]
    for place, post in enumerate(posts):
        post.written = _written(post.created, topics[0]["words"]["at"])
        if name == "hyperkitty":  # the first post shows its year, the others their day if it is another than before
            day = f" {post.created.year}" if not place else ""
            day = "" if place > 1 and days[place] == days[place - 1] else days[place] + day
            post.written = f"{day} {formats.date_format(post.created, 'TIME_FORMAT')}".strip()
    if name == "xtd":
        given["comments"] = [_Named(comment=each, children=[]) for each in posts]
    is_list = len(topics) > 1
    template = engine.from_string(_REVIEWS) if name == "oscar" else engine.get_template(_TEMPLATES[name][is_list])
    body = template.render(Context(given))
    if "<body" not in body:
        body = _ALONE.format(topics[0]["title"], body)
    if is_list:
        records = [_line(name, each, made) for each, made in zip(shown, topics, strict=True)]
    else:
        records = [
            {
                "author": made["author"],
                "time": each.written if "wordpress" in name or name == "hyperkitty" else _time(name, each.created),
                "text": made["text"],
            }
            | ({"title": each.title} if name == "oscar" else {})
            for each, made in zip(posts, topics[0]["posts"], strict=True)
        ]
    if name == "lbforum" and not is_list:
        del records[0]["time"]  # it shows the time of the last post there
    return {"html": body, "records": records}


_APART = ("punkweb", "lbforum", "hyperkitty")
"""Engines that show the opening post in a place of its own."""


def _also(name: str, shown: list[_Named], posts: _Pages) -> dict[str, Any]:
    """What the other engines are given."""
    forum = shown[0].forum
    forum.display_name, forum.category = forum.name, forum
    shown[0].comments, shown[0].comment_count = posts, len(posts) if name == "zinnia" else shown[0].comment_count
    others = _Pages(posts[1:])
    others.number = 1
    roots: list[_Named] = []
    for post in posts:
        if roots and not post.number % 3:
            roots[-1].answers.append(post)
        else:
            roots.append(post)
    return {
        "starting_email": posts[0], "replies": others, "is_bot": True, "mlist": forum, "subject": shown[0].title, "sort_mode": "date",
        "request": _Named(path="/page/", user=_Named(username=""), GET={}, META={}), "form": [], "search_form": [], "export": "",
        "subcategory": forum, "object": shown[0], "object_for_comments": _Named(answers=roots), "reviews": posts, "product": shown[0],
        **({"posts": others} if name in _APART else {}),
    }  # fmt: skip


def _line(name: str, topic: _Named, made: dict[str, Any]) -> dict[str, str]:
    line = {"title": made["title"], "time": _time(name, topic.created), "replies": str(made["replies"])}
    if name in ("spirit", "pybb", "hyperkitty", "lbforum"):
        line["time"] = _time(name, topic.last_active)
    if name in _SHORT:
        line["time"] = formats.date_format(topic.last_active, "DATE_FORMAT")
    if name == "hyperkitty":
        line["time"] = formats.date_format(topic.last_active, "d M 'y")
    if name in ("pybb", "punkweb"):
        line["replies"] = str(made["replies"] + 1)
    if name == "pybb":
        line["title"] = Truncator(made["title"]).words(10)
    if name in ("machina", "pybb", "punkweb", "lbforum"):
        line["views"] = str(made["views"])
    return line | ({"author": made["author"]} if name not in ("spirit", "pybb") else {})


def _written(time: datetime, at: str) -> str:
    """As WordPress writes it."""
    return " ".join(
        filter(None, (formats.date_format(time, "DATE_FORMAT"), at, formats.date_format(time, "TIME_FORMAT")))
    )


_FORMATS = {"pybb": "d M, Y H:i", "punkweb": "M j, Y", "zinnia": "SHORT_DATETIME_FORMAT"}


def _time(name: str, time: datetime) -> str:
    if name == "spirit":
        return formats.date_format(time, "j M" if time.year == datetime.now().year else "j M 'y")
    if name == "mezzanine":
        return timesince(time).replace("\xa0", " ")
    return formats.date_format(time, _FORMATS.get(name, "DATETIME_FORMAT"))


def main() -> None:
    """See the module's text."""
    name, packages = sys.argv[1], Path(sys.argv[2])
    root = next(packages.glob({"xtdflat": "django_comments_xtd"}.get(name, f"*{name}*")), Path(__file__).parent)
    folders = [each for each in root.rglob("templates") if each.is_dir()] or [root / "wordpress"]
    folders += [each for folder in folders for each in folder.glob("machina")]
    locales = [str(each) for each in root.rglob("locale") if each.is_dir()]
    settings.configure(USE_I18N=True, USE_TZ=False, LOCALE_PATHS=locales, INSTALLED_APPS=["django.contrib.humanize"])
    django.setup()
    make_lenient(_MARKUP, _FILTERS)
    libraries = {
        "i18n": "django.templatetags.i18n",
        "tz": "django.templatetags.tz",
        "humanize": "django.contrib.humanize.templatetags.humanize",
    }
    engine = Engine(dirs=[str(each) for each in folders], libraries=libraries)
    made = []
    for request in json.load(sys.stdin):
        with translation.override(_CODES.get(request["language"], request["language"])):
            made.append(_page(engine, name, request["topics"]))
    json.dump(made, sys.stdout)


main()
