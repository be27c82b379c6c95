"""Features of a page's address that show its kind."""

import re
from urllib.parse import parse_qsl, unquote, urlsplit

_WORDS = {
    "paging": "page p paged pages pn start offset",
    "tag": "tag tags label labels keyword keywords topics hashtag",
    "category": "category categories cat cate categorie categoria kategorie section sections channel channels column list"
    " lists archive archives browse c class sort rubrik genre collection collections department departments all index"
    " trending top latest hub catalog catalogue",
    "search": "search s q query so keyword wd find results",
    "author": "author authors user users u member members profile profiles people space home.php account staff team",
    "about": "about about-us aboutus about.html about_us bio contact contact-us me cv resume company who-we-are friends links",
    "forum": "forum forums thread threads viewtopic.php showthread.php topic t discussion discussions discuss questions question"
    " comments bbs read.php thread.php viewthread.php viewthread community groups group qa answers post posts s d",
    "forum list": "forumdisplay.php viewforum.php board boards f fid forum.php forumdisplay forums",
    "product": "product products item items itm dp p goods sku buy ip listing detail pd gp prod",
    "shop": "shop store shopping market mall collections collection category c brand brands",
    "documentation": "docs doc documentation manual manuals reference guide guides api wiki help support kb howto man tutorial"
    " tutorials userguide latest stable library learn title faq knowledge en developer",
    "article": "article articles news story stories blog blogs content a view archives entry entries magazine press opinion",
    "service": "services service solutions solution pricing features platform programs program treatments insurance plans"
    " courses software products enterprise industries careers donate",
    "media": "video videos watch gallery galleries photo photos podcast podcasts play album live audio",
    "error": "404 404.html error login signin register log-in sign-in signup",
}
_KINDS = {
    word: frozenset(kind for kind in _WORDS if word in _WORDS[kind].split())
    for words in _WORDS.values()
    for word in words.split()
}
_HOME = frozenset(("index", "home", "default", "main"))
_DAY = re.compile(r"/(?:19|20)\d\d[/-]?(?:0?[1-9]|1[0-2])[/-]?(?:0?[1-9]|[12]\d|3[01])(?=[/_.-]|$)")
_MONTH = re.compile(r"/(?:19|20)\d\d(?:[/-]?(?:0?[1-9]|1[0-2]))?/?$")
_NUMBER = re.compile(r"\d{4,}")
_PAGE = re.compile(
    r"(?:^|/)(?:page|p|index|list|pages)[/_-]?\d{1,4}(?:\.s?html?)?/?$|[?&](?:page|paged|p|pn|pg)=\d{1,4}(?!\d)", re.I
)
_PART = re.compile(r"[._/]")
_NAMES = (
    *(
        "known",
        "depth",
        "home",
        "arguments",
        "slash",
        "extension",
        "last length",
        "last hyphens",
        "last digits",
        "last number",
    ),
    *("day", "month", "numbered page", "han", "path length"),
    *(f"{place} {kind}" for place in ("last", "above", "host") for kind in _WORDS),
)
ADDRESS_NAMES = [f"address {name}" for name in _NAMES]


def address_features(url: str) -> tuple[float, ...]:
    """A value for each of `ADDRESS_NAMES`; all 0 for an empty or broken address."""
    try:
        parts = urlsplit(url)
        path, arguments = unquote(parts.path)[:500], parse_qsl(parts.query, keep_blank_values=True, max_num_fields=20)
    except ValueError:
        return (0.0,) * len(ADDRESS_NAMES)
    if not parts.hostname:
        return (0.0,) * len(ADDRESS_NAMES)
    segments = [segment.lower() for segment in path.split("/") if segment]
    stem, _, extension = (
        segments[-1].rpartition(".") if segments and "." in segments[-1] else (segments[-1] if segments else "", "", "")
    )
    is_home = not segments or (len(segments) == 1 and stem in _HOME)
    folder = segments[:-1] if stem in _HOME and len(segments) > 1 else segments
    last = folder[-1].removesuffix(f".{extension}") if folder else ""
    asked = [word for name, value in arguments for word in (name.lower(), value.lower())]
    known = (
        *(1, len(folder), is_home, len(arguments), path.endswith("/"), bool(extension)),
        *(len(last), last.count("-") + last.count("_"), sum(map(str.isdigit, last)), bool(_NUMBER.search(last))),
        *(bool(_DAY.search(path)), bool(_MONTH.search(path)), bool(_PAGE.search(f"{path}?{parts.query}"))),
        *(any("\u3400" <= letter <= "\u9fff" for letter in last), len(path)),
    )
    places = ([last, *asked], folder[:-1], _PART.split(parts.hostname)[:-1])
    return (*map(float, known), *(float(kind in found) for found in map(_kinds, places) for kind in _WORDS))


def _kinds(words: list[str]) -> set[str]:
    return {kind for word in words for kind in _KINDS.get(word, ())}
