"""Names in texts in letters: runs of capitalised words, by the words that begin and end them, by lists, and by what is around them."""

import re
from collections.abc import Iterator

from analysis.names.capital_runs import MONTHS_ALSO_NAMES, PARTICLES, RUN, CapitalRun, capital_runs, name_lists
from analysis.names.listed_places import is_listed_place
from analysis.names.model import Kind, Name

_SAYS = r"said|says|told|added|wrote|tweeted|explained|insisted|argued|noted|recalled|warned|admitted|replied|testified"
_ROLES = "chair(?:man|woman)?|president|directors?|founder|chief|head|professor|secretary|minister|editor|analyst|executive|economist|researcher|lawyer|attorney|spokes(?:man|woman|person)"
_THINGS = (
    r"(?:[\w-]+ ){0,4}(?:company|firm|maker|city|town|village|state|country|island|group|club|team|bank|university|agency|website|site|"
    r"newspaper|app|startup|chain|province|region|suburb|party|organi[sz]ation|charity|band|ship|satellite|rocket)\b"
)
_BEFORE = re.compile(
    rf"(?:\b(?:{_SAYS}|by|named|called|husband|wife|son|daughter|brother|sister|mother|father|actor|actress|singer|author|coach|captain|"
    r"analyst|spokesman|spokeswoman|founder|journalist|president|minister|chairman|director|professor|player|driver|striker|boss|year-old) )$"
)
_AFTER = re.compile(
    rf"(?:,? (?:{_SAYS}|who)\b|, \d{{2}},|, (?:former |deputy |vice |senior |managing |co-)?(?:{_ROLES})\b|,? (?:\d{{2}}-year-old|aged \d)|, (?:an?|the|his|her|whose) (?!{_THINGS}))"
)
_SPEAKS = re.compile(
    rf" (?:also |later |then |has |had )?(?:{_SAYS}|unveiled|resigned|testified|denied|announced|urged|vowed|claimed)\b"
)
_CODES = "AL|AK|AZ|AR|CA|CO|CT|DE|FL|GA|HI|ID|IL|IN|IA|KS|KY|LA|ME|MI|MN|MO|MT|NE|NV|NH|NJ|NM|NY|NC|ND|OH|OK|OR|PA|RI|SC|SD|TN|TX|UT|VT|VA|WA|WV|WI|WY|DC"
_STATE = re.compile(r", (?P<state>[A-Z][a-z]{1,4}|[A-Z]\.[A-Z])\.")
_JOINED_CAPITALS = re.compile(r"(?!Mc|Mac|De|Di|Du|La|Le|Van|Von|Fitz|O[A-Z])[A-Z][a-z]+[A-Z][A-Za-z]*")
"""SpaceX, CoinMarketCap."""
_PLACE_BEFORE = re.compile(
    r"\b(?:(?:town|city|village|district|suburb|province|county|region|state|port|capital|island|(?:north|south)(?:-?(?:east|west))?|east|west) of|near|outside) $"
)
_IN = re.compile(r"\b(?:in|In) $")
_AFTER_IN = re.compile(
    r"(?:[.,;)]|$| (?:on|after|before|when|where|this|last|during|at|earlier|yesterday|today|early|late)\b)"
)
_NO_SURNAMES = ("others", "demonyms", "starters", "org_ends", "org_heads", "software", "teams")
"""Lists of words that are no surnames."""
_NO_TOWNS = ("others", "demonyms", "starters", "org_ends", "org_heads", "titles")
_NO_PERSON_BEFORE = re.compile(r"(?:\b(?:[Ii]n|[Nn]ear|[Aa]n?|[Tt]he|St\.)|&) $")
_NO_PERSON_AFTER = re.compile(rf"[-&/™®]|[’'](?!s\b)|\.? \d| [A-Z&]|, (?:[A-Z]{{2}}\b|an? {_THINGS})")
"""St. Thomas, Bowers & Wilkins, the Stanley works; Charlotte, NC; Jan. 1."""
_CODE_BEHIND = re.compile(rf", (?:{_CODES})\b(?! [A-Z])")
"""Mountain View, CA."""
_CODE_BEFORE = re.compile(r"[A-Za-z], $")
_TOWN_BEFORE = re.compile(
    r"\b(?:[Ii]n|[Nn]ear|[Oo]utside|[Aa]cross|[Aa]round|[Ff]rom|at|visit(?:ed|ing)?|(?:back|travel\w*|return\w*|mov\w+|trip|flew|went|going|way|flight|road|came) to|reach(?:ed|ing)?|leav(?:e|ing)|left|between) $"
)
_KIND_BEHIND = re.compile(
    r" (?:town|village|district|city|province|suburb|county|governorate|municipality|prefecture|tehsil|taluk|river|valley|area)\b"
    r"(?! (?:hall|network|code|codes|manager|director))"
)
"""Rishra town, Hooghly district."""
_INITIALS = re.compile(r" \((?P<short>[A-Z][A-Z&]{1,6})\)")
"""The Border Security Force (BSF)."""
_OFFICES = ("Minister", "Secretary", "Commissioner", "Director", "Professor", "Inspector", "Superintendent", "Attorney")
_STATE_CODES = frozenset(_CODES.split("|"))
_READ_BEFORE = 24


def find_english(text: str) -> Iterator[Name]:
    """Names in the order of the text, none inside another; the surname of a person alone is that person again."""
    found: list[Name] = []
    unknown: list[CapitalRun] = []
    surnames: set[str] = set()
    initials: set[str] = set()
    for run in capital_runs(text):
        if " ".join(run.words) in initials:
            found.append(_name(run, "org"))
            continue
        if (named := _named(run)) is None:
            unknown.append(run)
            continue
        part, kind = named
        found.append(_name(part, kind))
        if kind == "person":
            surnames.add(part.words[-1].title())
        elif kind == "org" and _has_initials(part):
            initials.add("".join(word[0] for word in part.words if word[0].isupper()))
    known = surnames - name_lists().places.keys()
    for run in unknown:
        bare = _untitled(run)[0]
        if bare is not None and len(bare.tokens) == 1 and (bare.words[0].title() in known or _is_surname(bare)):
            found.append(_name(bare, "person"))
    yield from sorted(found, key=lambda name: name.start)


def english_country(text: str) -> str:
    """The ISO code of the country of a place; "" if it is unknown, or in several countries."""
    return name_lists().places.get(text, "").upper()


def _name(run: CapitalRun, kind: Kind) -> Name:
    return Name(run.start, run.end, run.text[run.start : run.end], kind)


def _named(run: CapitalRun) -> tuple[CapitalRun, Kind] | None:
    """The part of the run that is a name, and what it is; None if nothing says so."""
    if _is_place(run):
        return run, "place"
    if _is_org(run):
        return run, "org"
    bare, titled = _untitled(run)
    if bare is None:
        return None
    if _is_person(bare, titled):
        return bare, "person"
    if not titled and _is_place_there(bare):
        return bare, "place"
    return _beginning(bare)


def _beginning(run: CapitalRun) -> tuple[CapitalRun, Kind] | None:
    """Samsung Galaxy, Germany Takes Steps: a well-known name, and words that are no name."""
    words, lists = run.words, name_lists()
    for stop in range(min(3, len(words) - 1), 0, -1):
        whole = " ".join(words[:stop])
        if whole in lists.words["known"]:
            return run.part(0, stop), "org"
        if whole in lists.places and len(words) - stop > 1:
            return run.part(0, stop), "place"
    return None


def _untitled(run: CapitalRun) -> tuple[CapitalRun | None, bool]:
    """Without nationality and titles, and whether there was a title."""
    words, lists, skip, titled = run.words, name_lists().words, 0, False
    if run.words[0] in lists["offices"] and run.text[max(0, run.start - 4) : run.start].endswith(("of ", "for ")):
        skip, titled = 1, True  # Secretary of State Marco Rubio
    elif heads := _portfolios(words, lists) or _behind_title(words, lists):
        skip, titled = heads, True
    while skip < len(words) and (words[skip].rstrip(".") in lists["titles"] or words[skip] in lists["demonyms"]):
        titled = titled or words[skip] not in lists["demonyms"]
        skip += 1
    return (run.part(skip, len(words)) if skip < len(words) else None), titled


def _behind_title(words: tuple[str, ...], lists: dict[str, frozenset[str]]) -> int:
    """Where the name begins behind the last title of a run: Kurram Deputy Commissioner + Muhammad Ashfaq Khan; 0 if it has none."""
    last = max((at for at, word in enumerate(words) if word in lists["titles"]), default=-1)
    left = words[last + 1 :]
    if last < 1 or len(left) not in (2, 3):
        return 0
    no_name = any(word in lists[name] for word in left for name in _NO_SURNAMES) or not all(
        w[1:].islower() for w in left
    )
    return 0 if no_name or any(word in lists["place_ends"] for word in left) else last + 1


def _portfolios(words: tuple[str, ...], lists: dict[str, frozenset[str]]) -> int:
    """The number of words before a minister's name: Turkish + Foreign + Minister; 0 if none of them is an office of ministers."""
    at = 0
    while at < len(words) and (words[at] in lists["demonyms"] or words[at] in lists["portfolios"]):
        at += 1
    return at + 1 if 0 < at < len(words) - 1 and words[at] in _OFFICES else 0


def _is_surname(run: CapitalRun) -> bool:
    """Whether one word is the surname of somebody well-known, or of whoever says something: "Trump", "Horomanski said"."""
    word, lists = run.words[0], name_lists().words
    if word in lists["surnames"]:
        return True
    if _goes_on_before(run) or any(word in lists[name] for name in _NO_SURNAMES):
        return False
    if _is_listed(run):
        return True
    return word[1:].islower() and not word.endswith("s") and _SPEAKS.match(run.text, run.end) is not None


def _goes_on_before(run: CapitalRun) -> bool:
    """Whether the word is the end of something longer: First Energy said."""
    before = run.text[: run.start].rstrip(" ").rpartition(" ")[2]
    return before[:1].isupper() and before[-1] not in ",.;:" and before not in name_lists().words["starters"]


def _is_listed(run: CapitalRun) -> bool:
    """Whether a list has it as a surname or given name, and nothing around shows that it is something else."""
    word, lists = run.words[0], name_lists()
    if (word not in lists.family and word not in lists.given) or word.isupper():
        return False
    return not (_NO_PERSON_BEFORE.search(run.text[: run.start]) or _NO_PERSON_AFTER.match(run.text, run.end))


def _is_place(run: CapitalRun) -> bool:
    words, lists = run.words, name_lists()
    whole = " ".join(words)
    if (
        whole in lists.words["states"]
        and run.text.startswith(".", run.end)
        and run.text[run.start - 2 : run.start] == ", "
    ):
        return True
    if whole in lists.places or whole.title() in lists.places:
        return True
    if whole in _STATE_CODES and _CODE_BEFORE.search(run.text, max(0, run.start - 3), run.start):
        return True
    if len(words) < 2 or any(word in lists.words["org_ends"] for word in words):
        return False
    if words[0] in lists.words["directions"]:
        return " ".join(words[1:]) in lists.places
    return words[-1] in lists.words["place_ends"] or words[0] in lists.words["place_heads"]


def _is_org(run: CapitalRun) -> bool:
    words, lists = run.words, name_lists().words
    if len(words) > 1 and " ".join(words) in lists["known"]:
        return True
    if words[-1] in lists["teams"]:
        return len(words) > 1 or run.text[max(0, run.start - 4) : run.start] in ("the ", "The ")
    if len(words) == 1:
        return words[0] in lists["known"] or (
            _JOINED_CAPITALS.fullmatch(words[0]) is not None and words[0] not in lists["software"]
        )
    if words[-1].rstrip(".") in lists["org_ends"]:
        return _has_initials(run) or not all(
            word in lists["demonyms"] or (word in lists["titles"] and word != "General") for word in words[:-1]
        )
    return any(word in lists["org_heads"] and words[at + 1] in ("of", "for") for at, word in enumerate(words[:-1]))


def _has_initials(run: CapitalRun) -> bool:
    """Whether its initials stand behind it in brackets."""
    short = _INITIALS.match(run.text, run.end)
    return short is not None and short["short"] == "".join(word[0] for word in run.words if word[0].isupper())


def _is_person(run: CapitalRun, titled: bool) -> bool:
    words, lists = run.words, name_lists()
    full = [word for word in words if word not in PARTICLES]
    is_month = len(full) > 1 and full[-1] in MONTHS_ALSO_NAMES and not run.text[run.end : run.end + 2].strip().isdigit()
    if not 1 <= len(full) <= 4 or any(
        word in lists.words[name]
        for word in full[: -1 if is_month else None]
        for name in ("others", "demonyms", "org_ends")
    ):
        return False
    if full[-1] in lists.words["titles"] and full[0] in lists.words["portfolios"]:
        return False
    if titled and _may_be_surname(full[-1]):
        return True
    if len(full) > 1 and full[0].title() in lists.given and _may_be_surname(full[-1]):
        return True
    around = _BEFORE.search(run.text, max(0, run.start - _READ_BEFORE), run.start) or _AFTER.match(run.text, run.end)
    if not around or not all(_may_be_surname(word) or word.endswith(".") for word in full):
        return False
    return len(full) in (2, 3) or full[0] in lists.given


def _may_be_surname(word: str) -> bool:
    return (
        len(word) > 1 and word[0].isupper() and not word.endswith(".") and not any(letter.isdigit() for letter in word)
    )


def _is_place_there(run: CapitalRun) -> bool:
    """Unknown, but where a place is expected: "in Oakville, Canada", "the town of Oakville"."""
    state = _STATE.match(run.text, run.end)
    if state and state["state"] in name_lists().words["states"]:
        return True
    if _CODE_BEHIND.match(run.text, run.end) and not " ".join(run.words).isupper():
        return True
    if " ".join(run.words) in name_lists().towns and _TOWN_BEFORE.search(
        run.text, max(0, run.start - _READ_BEFORE), run.start
    ):
        return True
    if is_listed_place(run.text, run.start, run.end) and not any(
        word in name_lists().words[name] for word in run.words for name in _NO_TOWNS
    ):
        return True
    if " ".join(run.words).isupper():
        return False
    if _KIND_BEHIND.match(run.text, run.end) and not any(
        word in name_lists().words[name] for word in run.words for name in _NO_TOWNS
    ):
        return True
    if len(run.tokens) > 2 or run.words[0] in name_lists().given:
        return False
    if _PLACE_BEFORE.search(run.text, max(0, run.start - _READ_BEFORE), run.start):
        return True
    following = RUN.match(run.text, run.end + 2) if run.text.startswith(", ", run.end) else None
    if following and following.group() in name_lists().places:
        return True
    is_in = run.words[0] not in name_lists().words["software"] and _IN.search(
        run.text, max(0, run.start - 4), run.start
    )
    return bool(is_in) and _AFTER_IN.match(run.text, run.end) is not None
