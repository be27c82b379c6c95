"""Feeds and sitemaps: what a site lists about itself. One module reads each family of formats; `choosing` has the way in."""

from extractors.feeds.choosing import is_feed, read_feed
from extractors.feeds.entries import Feed, FeedEntry

__all__ = ["Feed", "FeedEntry", "is_feed", "read_feed"]
