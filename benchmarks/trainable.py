"""What weights that are shipped may be trained on; all other pages are for choosing and testing only.

A set's licence decides, or the permission to use gold that was made by hand for this project. A set that is missing here may
not be trained on, even if its folder lies beside the others.
"""

from collections.abc import Mapping

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
_RECORD_LICENCES = ("Apache-2.0", "Apache/MIT", "CC-BY-4.0", "MIT", "engine ")
"""How the licence of a page in data/records begins; "engine" is that of forum software run for this project."""


def may_train_on_records(row: Mapping[str, object]) -> bool:
    """Whether a line of the gold of data/records may be trained on. Pages of unknown licence or "research use" may not."""
    licence = str(row.get("license") or "")
    return licence.startswith(_RECORD_LICENCES) and "research use" not in licence
