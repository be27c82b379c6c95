"""Recipe of a list: the place of its items, and of the fields within an item."""

from collections.abc import Mapping
from dataclasses import dataclass, field

FIELDS = ("url", "title", "time", "author", "summary", "rank", "heat")
"""The fields of an item."""


@dataclass(frozen=True, slots=True)
class ListRecipe:
    """The kind of answer at a list's address, and the place of its items.

    Attributes:
        list: dotted path of the items in JSON, see `extractors.feeds.json_paths`; "feed" for RSS, Atom and JSON Feed.
        json_in: where a page of HTML carries the JSON: a selector of its script, or the text before it.
        html, xml: selector of the items in markup, see `extractors.feeds.selectors`; one of `list`, `html` and `xml` is given, or `list`
            and `html`, where the JSON has markup at that path.
        fields: a path or selector by name of `FIELDS`; alternatives are separated by `|`. `$index` is the place in the list.
        url_template: the address of an item, with its values in braces; for lists that have no addresses.
        zone: of times without one. time_format: see `extractors.feeds.item_times`.
        next: path or selector of the next page's address or cursor.
        body_of: path or selector of the whole text.
    """

    list: str = ""
    json_in: str = ""
    html: str = ""
    xml: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)
    url_template: str = ""
    zone: str = ""
    time_format: str = ""
    next: str = ""
    body_of: str = ""

    @property
    def is_feed(self) -> bool:
        """Whether the list is a feed, which needs no paths."""
        return self.list == "feed"
