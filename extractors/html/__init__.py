"""A page of HTML: encoding, tree, and the columns of its tree as arrays."""

__all__ = [
    "addresses",
    "columns",
    "document",
    "encoding",
    "jsonld",
    "markup",
    "metas",
    "page_selectors",
    "parsing",
    "structure",
    "subtrees",
    "tags",
    "visibility",
]
