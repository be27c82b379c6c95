"""Which links are followed: scope, traps, robots.txt, sitemaps, pages of one thread or article."""

__all__ = [
    "article_parts",
    "carried_links",
    "covered_text",
    "files",
    "follower",
    "page_head",
    "public_suffixes",
    "robots_rules",
    "scope",
    "sitemaps",
    "split_threads",
    "traps",
]
