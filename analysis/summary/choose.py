"""The summary of a page: of all candidates the one that most resembles what editors write.

With a title the candidates are weighed as descriptions of a page, without one as headlines of a short text. Both forests were trained
on pages whose licence allows it: on editors' descriptions, and on headlines of the beginnings of articles (`benchmarks/train_summary.py`).
"""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from analysis.summary.candidates import SummaryCandidate, candidates
from analysis.summary.sentence_features import NAMES, feature_rows
from analysis.summary.sentences import Piece, clauses_of, sentences_of, units
from extractors.kernels.forest import Forest, ForestError

_CHARACTERS_A_WORD = 6.0
_HEADLINE_SENTENCES = 8
_MIN_UNITS = 4
"""Units below which nothing is chosen: the title or the beginning is given."""
_MAX_UNITS = 200
"""Maximum length of a summary in units."""


def summarize(title: str | None, text: str | None, characters: int = 200) -> str:
    """A summary of at most `characters` characters from the page's sentences, in order; a cut sentence ends with "…".

    A title or text that is missing or no text counts as empty; lone surrogates become question marks.
    """
    title, text = " ".join(_plain(title).split()), _plain(text)
    pieces = pieces_of(title, text)
    if not pieces:
        return title[:characters]
    length = max(_MIN_UNITS, min(_MAX_UNITS, budget(pieces[0].text, characters)))
    found = candidates(title, pieces, length)
    forest = _forest("description" if title else "headline")
    scores = forest.scores(feature_rows(title, pieces, found, length).T)
    return _shortened(found[int(scores.argmax())], characters)


def _plain(given: object) -> str:
    return given.encode("utf-8", "replace").decode() if isinstance(given, str) else ""


def pieces_of(title: str, text: str) -> Sequence[Piece]:
    """The parts of which a summary is made: sentences below a title; clauses where the summary must be a headline."""
    sentences = sentences_of(text)
    return sentences if title else clauses_of(sentences[:_HEADLINE_SENTENCES])


def budget(sample: str, characters: int) -> int:
    """Convert a number of characters to units, using the mean unit length of a sample."""
    visible = sum(not letter.isspace() for letter in sample)
    ideographic = visible < 2.5 * len(units(sample))
    return characters if ideographic else int(characters / _CHARACTERS_A_WORD)


def _shortened(candidate: SummaryCandidate, characters: int) -> str:
    text = candidate.text.strip()
    if candidate.whole and len(text) <= characters:
        return text.rstrip("，,：:—；; ")
    cut = text[:characters]
    if cut != text and " " in cut[-20:] and not text[len(cut)].isspace():
        cut = cut.rpartition(" ")[0]
    return f"{cut.rstrip('，,：:—；;、。. ')}…" if cut else ""


@cache
def _forest(name: str) -> Forest:
    try:
        with (files("analysis.summary") / "data" / f"{name}.npz").open("rb") as file:
            found = Forest.load(file)
    except Exception as error:  # a damaged archive fails in as many ways as it can be damaged
        raise ForestError(f"The weights of {name}s cannot be read ({error}). Install topicrawl again.") from error
    if found.names != NAMES:
        raise ForestError(f"The weights of {name}s belong to another version of topicrawl. Install it again.")
    return found
