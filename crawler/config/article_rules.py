"""The keys of a site's file that say how its pages are read: `article`, `records`, and `test`, saved pages with what they hold."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from crawler.config.yaml_file import Strict
from extractors.page import as_selectors, check_selector

_Selectors = Annotated[list[Annotated[str, AfterValidator(check_selector)]], BeforeValidator(as_selectors)]
_MAX_SELECTORS = 20
Selectors = Annotated[_Selectors, Field(max_length=_MAX_SELECTORS)]
Words = Annotated[list[str], BeforeValidator(as_selectors)]


def _is_instant(value: str) -> str:
    try:
        if value:
            datetime.fromisoformat(value)
    except ValueError:
        raise ValueError("is not an instant; write it like 2026-03-05T10:11:00+00:00") from None
    return value


class ArticleRule(Strict):
    """Selectors, CSS or XPath, each or a list: of the elements that are the main text together, of those that are not read, and for
    each field, of which the first that finds something counts."""

    body: Selectors | None = None
    remove: Selectors | None = None
    title: Selectors | None = None
    author: Selectors | None = None
    time: Selectors | None = None
    kind: Literal["article", "list", "thread", "product", "service", "documentation"] | None = None

    @model_validator(mode="after")
    def _has_body(self) -> "ArticleRule":
        if self.kind and not self.body:
            raise ValueError("`kind` needs `body`: it is the kind of the pages on which `body` finds text")
        return self


class RecordsRule(Strict):
    """Selectors of the elements that are records, and of fields inside each."""

    each: Selectors
    author: Selectors | None = None
    time: Selectors | None = None
    text: Selectors | None = None
    title: Selectors | None = None
    url: Selectors | None = None
    floor: Selectors | None = None
    replies: Selectors | None = None
    views: Selectors | None = None
    likes: Selectors | None = None
    quote: Selectors | None = None
    kind: Literal["thread", "thread_list", "comments", "reviews", "qa"] | None = None


class SavedPage(Strict):
    """A saved page, a path from the folder of the file, and what must be read of it; `read_at`: when it was fetched."""

    page: Annotated[str, Field(min_length=1)]
    url: str = ""
    read_at: Annotated[str, AfterValidator(_is_instant)] = ""
    title: str | None = None
    author: str | None = None
    time: str | None = None
    text_has: Words = []
    text_lacks: Words = []
    records: int | None = None
