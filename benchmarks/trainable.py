"""What weights that are shipped may be trained on; all other pages are for choosing and testing only.

A set's licence decides, or the permission to use gold that was made by hand for this project. A set that is missing here may
not be trained on, even if its folder lies beside the others. Of each set, about one site in six is held out: it is never
trained on, and the accuracy that the tests demand is measured on it.
"""

from collections.abc import Mapping
from hashlib import blake2b
from urllib.parse import urlsplit

from tldextract import TLDExtract

ARTICLE_SETS = (
    "aeb",
    "fundus",
    "magic-article",
    "magic-forum",
    "mozilla-readability",
    "snippets",
    "twnews",
    "wcxb",
    "zh-blogs",
    "zh-gb",
    "zh-news",
)
"""Folders of data/articles."""
_HELD_OUT_OF = 6
_suffixes = TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True)
_RECORD_LICENCES = ("Apache-2.0", "Apache/MIT", "CC-BY-4.0", "MIT", "engine ")
"""How the licence of a page in data/records begins; "engine" is that of forum software run for this project."""


def may_train_on_records(row: Mapping[str, object]) -> bool:
    """Whether a line of the gold of data/records may be trained on. Pages of unknown licence or "research use" may not."""
    licence = str(row.get("license") or "")
    return licence.startswith(_RECORD_LICENCES) and "research use" not in licence


def site_of(row: Mapping[str, object]) -> str:
    """The site of a line of gold, as the name in its domain: "sina" for news.sina.com.cn, a blog's own name for a blog. Where
    neither address nor site is known, the name in the page's number."""
    host = urlsplit(str(row.get("url") or "")).hostname or str(row.get("site") or "")
    if domain := _suffixes(host).domain if host else "":
        return domain.lower()
    words = str(row["id"]).split("-")
    while len(words) > 1 and words[-1].isdigit():
        words.pop()
    return words[-1].lower()


def is_held_out(row: Mapping[str, object]) -> bool:
    """Whether nothing may be trained on a line of gold, because its site is kept for measuring."""
    return blake2b(site_of(row).encode(), digest_size=8).digest()[0] % _HELD_OUT_OF == 0
