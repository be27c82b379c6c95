"""The language of a text: by its script where the script tells, else by the page's word or the detector's."""

import re

from resiliparse.parse.lang import detect_fast

from extractors.html.document import Document

_SAMPLE = 2_000
_KANA = re.compile(r"[\u3040-\u30ff]")
_HANGUL = re.compile(r"[\uac00-\ud7af]")
_HAN = re.compile(r"[\u3400-\u9fff]")
_KNOWN = (
    "en de fr es pt it nl sv da no fi pl cs sk hu ro bg el ru uk tr ar fa he hi bn ta th vi id hr sr sl lt lv et ca"
).split()
"""What the detector chooses from; rarer languages would take more texts from these than they would gain."""
_DECLARED = re.compile(r"^[a-z]{2}(?=$|[-_])")


def language_of(page: Document, text: str) -> str:
    """ISO 639-1 code of the text's language, "" for a page without text."""
    sample = text[:_SAMPLE]
    if not sample.strip():
        return _declared(page)
    for pattern, share, language in ((_HANGUL, 0.1, "ko"), (_KANA, 0.1, "ja"), (_HAN, 0.1, "zh")):
        if len(pattern.findall(sample)) > share * len(sample):
            return language
    return _declared(page) or _detected(sample)


def _detected(sample: str) -> str:
    language = str(detect_fast(sample, langs=_KNOWN)[0])
    return "" if language == "unknown" else language


def _declared(page: Document) -> str:
    found = _DECLARED.match(page.columns.value(0, "lang").strip().lower())
    return found.group(0) if found else ""
