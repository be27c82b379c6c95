"""Renders pages of forums written with Jinja by their own templates and translations, without their code.

    python -m benchmarks.engines.jinja_pages ENGINE PACKAGES < requests > pages

Filters, tests and names that are unknown do nothing. Needs Jinja2 and Babel.
"""

import json
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from babel import dates
from babel.messages.pofile import read_po
from babel.support import Translations
from jinja2 import ChainableUndefined, Environment, FileSystemLoader
from markupsafe import Markup

_CODES = {"zh": "zh_Hans_CN", "zh-hant": "zh_Hant_TW"}
_FOLDERS = {"zh": ("zh_CN", "zh_Hans", "zh"), "zh-hant": ("zh_TW", "zh_Hant")}


class _Nothing(ChainableUndefined):
    """What is not known: a call gives nothing either."""

    def __call__(self, *_: Any, **__: Any) -> str:
        return ""


class _Lenient(dict[str, Any]):
    """Filters or tests of which every name is known."""

    def __init__(self, known: dict[str, Any], other: Any) -> None:
        super().__init__(known)
        self.other = other

    def get(self, name: str, default: Any = None) -> Any:
        """That of this name, or one that does nothing."""
        return super().get(name) or self.other

    def __getitem__(self, name: str) -> Any:
        return self.get(name)

    def __contains__(self, name: object) -> bool:
        return True


class _Thing(SimpleNamespace):
    """An object that is written as its name; what it has not is nothing."""

    def __str__(self) -> str:
        return str(self.__dict__.get("name", ""))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _Nothing(name=name)


def _translations(root: Path, language: str) -> Translations:
    found = Translations()
    for folder in _FOLDERS.get(language, (language,)):
        for file in sorted(root.rglob(f"{folder}/LC_MESSAGES/*.po")):
            catalogue = {
                (each.id if isinstance(each.id, str) else each.id[0]): (
                    each.string if isinstance(each.string, str) else each.string[-1]
                )
                for each in read_po(file.open("rb"))
                if each.id and each.string
            }
            found._catalog = catalogue  # type: ignore[attr-defined]
            return found
    return found


def _post(made: dict[str, Any], topic: dict[str, Any]) -> _Thing:
    time = datetime.fromisoformat(made["time"])
    user = _Thing(
        name=made["author"], username=made["author"], url=f"/user/{sum(map(ord, made['author']))}",
        primary_group=_Thing(name=topic["words"]["posts"]),
        avatar=f"/media/{made['number']}.png" if made["pictured"] else "", date_joined=datetime(2019, 4, 5, 6, 7), post_count=211,
        signature=made["signature"], permissions={},
    )  # fmt: skip
    number = made["number"] + 1
    return _Thing(
        id=number, user_id=number, user=user, username=made["author"], url=f"/post/{number}", date_created=time, date_modified=None,
        hidden=False, content=Markup(made["html"]), number=number,
    )  # fmt: skip


def _topic(made: dict[str, Any], number: int) -> _Thing:
    first, last = _post(made["posts"][0], made), _post(made["posts"][-1], made)
    category = _Thing(title=made["words"]["posts"], url="/category/1")
    forum = _Thing(title=made["words"]["posts"], url="/forum/3", category=category, id=3, slug="talk")
    return _Thing(
        id=number, title=made["title"], name=made["title"], url=f"/topic/{number}", forum=forum, user_id=1, user=first.user,
        username=made["author"], date_created=first.date_created, post_count=made["replies"] + 1, views=made["views"], slug="talk",
        last_post=last, first_unread=lambda *_: f"/topic/{number}", first_post_id=1, hidden=False, locked=False, important=False,
    )  # fmt: skip


_TEMPLATES = {"flaskbb": ("forum/topic.html", "forum/forum.html")}
_ALONE = (
    "<html><head><title>{0}</title></head><body><header><a href='/'>Home</a></header><main>{1}</main></body></html>"
)


def _page(
    environment: Environment, name: str, request: dict[str, Any], when: Callable[[datetime], str]
) -> dict[str, Any]:
    topics = request["topics"]
    shown = [_topic(each, number) for number, each in enumerate(topics, 41)]
    posts = [_post(each, topics[0]) for each in topics[0]["posts"]]
    user = _Thing(is_authenticated=False, permissions={})
    given = {
        "topic": shown[0], "posts": _Thing(items=[(each, each.user) for each in posts], page=1, pages=1, per_page=99),
        "topics": _Thing(items=[(each, each.last_post, None) for each in shown], page=1, pages=1, per_page=99), "forum": shown[0].forum,
        "current_user": user, "flaskbb_config": {"POSTS_PER_PAGE": 99, "SIGNATURE_ENABLED": True}, "forumsread": None,
    }  # fmt: skip
    is_list = len(topics) > 1
    html = environment.get_template(_TEMPLATES[name][is_list]).render(given)
    if is_list:
        records = [
            {
                "title": made["title"],
                "author": made["author"],
                "time": when(each.last_post.date_created),
                "replies": str(made["replies"] + 1),
                "views": str(made["views"]),
            }
            for each, made in zip(shown, topics, strict=True)
        ]
    else:
        records = [
            {"author": made["author"], "time": when(each.date_created), "text": made["text"]}
            for each, made in zip(posts, topics[0]["posts"], strict=True)
        ]
    return {"html": html if "<body" in html else _ALONE.format(topics[0]["title"], html), "records": records}


def main() -> None:
    """See the module's text."""
    name, packages = sys.argv[1], Path(sys.argv[2])
    root = packages / name / name
    made = []
    for request in json.load(sys.stdin):
        locale = _CODES.get(request["language"], request["language"])
        environment = Environment(
            loader=FileSystemLoader(root / "templates"),
            undefined=_Nothing,
            extensions=["jinja2.ext.i18n", "jinja2.ext.do"],
            autoescape=True,
        )
        environment.install_gettext_translations(_translations(root, request["language"]), newstyle=True)  # type: ignore[attr-defined]

        def when(time: datetime, locale: str = locale) -> str:
            return dates.format_datetime(time, "medium", locale=locale)

        known = {
            "format_datetime": when, "format_date": lambda time, *_, locale=locale: dates.format_date(time, "medium", locale=locale),
            "time_since": when, "markup": Markup,
        }  # fmt: skip
        environment.filters = _Lenient(dict(environment.filters) | known, lambda *_, **__: "")
        environment.tests = _Lenient(dict(environment.tests), lambda *_, **__: False)
        environment.globals |= {
            "theme": lambda path: path,
            "url_for": lambda *_, **__: "/x",
            "theme_static": lambda *_, **__: "/x",
        }
        made.append(_page(environment, name, request, when))
    json.dump(made, sys.stdout)


main()
