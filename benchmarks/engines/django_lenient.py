"""Django's templates without the code around them: tags, filters and libraries that are unknown do nothing."""

from collections.abc import Callable, Mapping
from typing import Any

from django.template import Context, Library, Node, base, defaulttags
from django.template.base import FilterExpression, Parser, Token

Markup = Callable[[Any, Context], Any]


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
        return _TAGS.get(self.name, lambda value, _: value if self.inside is not None else "")(value, context)


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


_TAGS: dict[str, Markup] = {}


def make_lenient(tags: Mapping[str, Markup], filters: Mapping[str, Callable[..., Any]]) -> None:
    """Let the parser take tags, filters and libraries that it does not know. Those given do what they are given to do."""
    _TAGS.update(tags)
    defaulttags.register.tags["url"] = _url
    made = Parser.__init__

    def begin(parser: Parser, *given: Any, **named: Any) -> None:
        made(parser, *given, **named)
        parser.tags = _Any(parser.tags, _Given)
        parser.filters = _Any(parser.filters | filters, lambda value, *_: value)

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
