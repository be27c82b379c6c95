"""Feeds, sitemaps and lists of any shape: what a site lists about itself. One module reads each family of formats; `declared_feeds` has the
way in to those that say what they are, `reading_lists` to those that a recipe describes."""

from extractors.feeds.body_text import body_lines
from extractors.feeds.declared_feeds import is_feed, read_feed
from extractors.feeds.entries import Feed, FeedEntry
from extractors.feeds.json_list import field_shares
from extractors.feeds.json_paths import objects_at, text_at, value_at
from extractors.feeds.json_text import UnreadableError, looks_like_json, parse_json
from extractors.feeds.list_recipe import ListRecipe
from extractors.feeds.proposing import propose_recipe
from extractors.feeds.reading_lists import ReadList, read_by_recipe, read_carried_list, read_json_feed
from extractors.feeds.selectors import check_selector, flat_text, selected
from extractors.html.page_selectors import SelectorError

__all__ = [
    "Feed",
    "FeedEntry",
    "ListRecipe",
    "ReadList",
    "SelectorError",
    "UnreadableError",
    "body_lines",
    "check_selector",
    "field_shares",
    "flat_text",
    "is_feed",
    "looks_like_json",
    "objects_at",
    "parse_json",
    "propose_recipe",
    "read_by_recipe",
    "read_carried_list",
    "read_feed",
    "read_json_feed",
    "selected",
    "text_at",
    "value_at",
]
