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
from django.template import Context, Engine, Library, Node, base, defaulttags
from django.template.base import FilterExpression, Parser, Token
from django.utils import formats, translation
from django.utils.safestring import mark_safe
from django.utils.text import Truncator

_CODES = {"zh": "zh-hans", "zh-hant": "zh-hant"}


class _Named(SimpleNamespace):
    """An object with attributes that is written as its name."""

    def __str__(self) -> str:
        return str(getattr(self, "name", ""))


class _Pages(list[Any]):
    """A page of things."""

    start_index = 1


class _Given(Node):
    """A tag of the engine: its inside, its first argument under a name, or the markup of a post."""

    def __init__(self, parser: Parser, token: Token) -> None:
        self.name, *given = token.split_contents()
        self.target = given[-1] if len(given) > 1 and given[-2] == "as" else ""
        values = given[:-2] if self.target else given
        values = [each.partition("=")[2] or each for each in values if each not in ("with", "trimmed")]
        self.first = parser.compile_filter(values[0]) if values else None
        ends = any(each.contents.split()[:1] == [f"end{self.name}"] for each in parser.tokens if each.contents.strip())
        self.inside = parser.parse((f"end{self.name}",)) if ends else None
        if ends:
            parser.delete_first_token()

    def render(self, context: Context) -> str:
        if self.inside is not None:
            value: Any = self.inside.render(context)
        else:
            known = self.first is not None and not isinstance(self.first.var, str)
            value = self.first.resolve(context) if self.first is not None and known else None
        if self.target:
            context[self.target] = value
            return ""
        return _MARKUP.get(self.name, lambda value, _: value if self.inside is not None else "")(value, context)


_MARKUP: dict[str, Callable[[Any, Context], str]] = {
    "post_render_comment": lambda comment, _: comment.html,
    "render_xtdcomment_tree": lambda comments, context: context.template.engine.get_template(
        "django_comments_xtd/comment_tree.html"
    ).render(Context({"comments": comments})),
    "pybb_time": lambda time, _: formats.date_format(time, "d M, Y H:i"),
}


_FILTERS = {
    "shortnaturaltime": lambda time, *_: _time("spirit", time),
    "pybbm_calc_topic_views": lambda topic, *_: topic.views,
}


class _Any(dict[str, Any]):
    """Tags or filters of which every name is known."""

    def __init__(self, known: dict[str, Any], other: Any) -> None:
        super().__init__(known)
        self.other = other

    def __contains__(self, _: object) -> bool:
        return True

    def __missing__(self, name: str) -> Any:
        if name.startswith("end") or name in ("else", "elif", "empty", "plural"):
            raise KeyError(name)
        return self.other


def _lenient() -> None:
    """Let the parser take tags, filters and libraries that it does not know."""
    made = Parser.__init__

    def begin(parser: Parser, *given: Any, **named: Any) -> None:
        made(parser, *given, **named)
        parser.tags = _Any(parser.tags, _Given)
        parser.filters = _Any(parser.filters | _FILTERS, lambda value, *_: value)

    Parser.__init__ = begin  # type: ignore[method-assign]
    FilterExpression.args_check = staticmethod(lambda *_: True)  # type: ignore[method-assign]
    found = defaulttags.find_library
    own = ("i18n", "l10n", "humanize", "tz")
    defaulttags.find_library = lambda parser, name: found(parser, name) if name in own else Library()
    base.Parser.find_filter = lambda parser, name: parser.filters[name]  # type: ignore[method-assign]


def _url(parser: Parser, token: Token) -> Node:
    name, *given = token.split_contents()[1:]
    target = given[-1] if len(given) > 1 and given[-2] == "as" else ""
    values = [parser.compile_filter(each.partition("=")[2] or each) for each in given[: -2 if target else None]]

    class _Address(Node):
        def render(self, context: Context) -> str:
            path = (
                "/"
                + "/".join([name.strip("'\"").replace(":", "/"), *(str(each.resolve(context)) for each in values)])
                + "/"
            )
            if not target:
                return path
            context[target] = path
            return ""

    return _Address()


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
        nickname=made["author"], posts_count=211,
    )  # fmt: skip
    person.st, person.user = person, person
    person.forum_profile = _Named(avatar=picture, user=person, posts_count=211, signature="")
    if made["signature"]:
        person.forum_profile.signature = _Named(rendered=made["signature"])
    number = made["number"] + 1
    return _Named(
        id=number, pk=number, subject=topic["title"], poster=person, poster_id=number, user=person, user_id=number, created=time,
        posted_on=time, date=time, submit_date=time, content=_Html(html), html=html, body_html=html, comment=html, is_valid=True,
        is_read=True, enable_signature=True, name=made["author"], url=slug if made["pictured"] else "", allow_thread=True,
        get_absolute_url=f"/post/{number}/", get_reply_url=f"/reply/{number}/", acl=_Named(can_reply=True), likes_count=made["votes"],
        modified_count=0, user_email="a@example.org", likedit=[], dislikedit=[],
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
        get_last_post_url=f"/topic/{number}/last/", updated=last.created, head=posts[0],
    )  # fmt: skip


_TEMPLATES = {
    "machina": ("forum_conversation/topic_detail.html", "forum_conversation/topic_list.html"),
    "spirit": ("spirit/topic/detail.html", "spirit/topic/active.html"),
    "misago": ("misago/thread/thread.html", "misago/threadslist/threads.html"),
    "pybb": ("pybb/topic.html", "pybb/forum.html"),
    "xtd": ("django_comments_xtd/comment_tree.html", ""),
    "xtdflat": ("comments/list.html", ""),
    **{f"wordpress-{theme}": (f"{theme}.html", "") for theme in ("html5", "html4", "blocks")},
}
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
    for post in posts:
        post.written = _written(post.created, topics[0]["words"]["at"])
    if name == "xtd":
        given["comments"] = [_Named(comment=each, children=[]) for each in posts]
    is_list = len(topics) > 1
    body = engine.get_template(_TEMPLATES[name][is_list]).render(Context(given))
    if "<body" not in body:
        body = _ALONE.format(topics[0]["title"], body)
    if is_list:
        records = [_line(name, each, made) for each, made in zip(shown, topics, strict=True)]
    else:
        records = [
            {
                "author": made["author"],
                "time": each.written if "wordpress" in name else _time(name, each.created),
                "text": made["text"],
            }
            for each, made in zip(posts, topics[0]["posts"], strict=True)
        ]
    return {"html": body, "records": records}


def _line(name: str, topic: _Named, made: dict[str, Any]) -> dict[str, str]:
    line = {"title": made["title"], "time": _time(name, topic.created), "replies": str(made["replies"])}
    if name in ("spirit", "pybb"):
        line["time"] = _time(name, topic.last_active)
    if name in _SHORT:
        line["time"] = formats.date_format(topic.last_active, "DATE_FORMAT")
    if name == "pybb":
        line |= {"replies": str(made["replies"] + 1), "title": Truncator(made["title"]).words(10)}
    if name in ("machina", "pybb"):
        line["views"] = str(made["views"])
    return line | ({"author": made["author"]} if name in ("machina", "misago") else {})


def _written(time: datetime, at: str) -> str:
    """As WordPress writes it."""
    return " ".join(
        filter(None, (formats.date_format(time, "DATE_FORMAT"), at, formats.date_format(time, "TIME_FORMAT")))
    )


def _time(name: str, time: datetime) -> str:
    if name == "spirit":
        return formats.date_format(time, "j M" if time.year == datetime.now().year else "j M 'y")
    return formats.date_format(time, "d M, Y H:i" if name == "pybb" else "DATETIME_FORMAT")


def main() -> None:
    """See the module's text."""
    name, packages = sys.argv[1], Path(sys.argv[2])
    root = next(packages.glob({"xtdflat": "django_comments_xtd"}.get(name, f"*{name}*")), Path(__file__).parent)
    folders = [each for each in root.rglob("templates") if each.is_dir()] or [root / "wordpress"]
    folders += [each for folder in folders for each in folder.glob("machina")]
    locales = [str(each) for each in root.rglob("locale") if each.is_dir()]
    settings.configure(USE_I18N=True, USE_TZ=False, LOCALE_PATHS=locales, INSTALLED_APPS=["django.contrib.humanize"])
    django.setup()
    _lenient()
    libraries = {"i18n": "django.templatetags.i18n", "humanize": "django.contrib.humanize.templatetags.humanize"}
    engine = Engine(dirs=[str(each) for each in folders], libraries=libraries)
    defaulttags.register.tags["url"] = _url
    made = []
    for request in json.load(sys.stdin):
        with translation.override(_CODES.get(request["language"], request["language"])):
            made.append(_page(engine, name, request["topics"]))
    json.dump(made, sys.stdout)


main()
