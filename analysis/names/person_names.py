"""People's names: Chinese ones by surname, given characters and neighbours; well-known and foreign ones."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from analysis.names.divisions import is_division
from analysis.names.dotted_names import dotted_names
from analysis.names.foreign_names import foreign_name, sounds
from analysis.names.known import cues
from analysis.names.letters import LetterWeights, famous_letters, is_common, is_famous, sure_surnames, surnames, weights
from analysis.names.model import Name
from analysis.names.person_cues import OF_THINGS, SINGLE_WORDS, has_surname, neighbours
from analysis.names.signatures import is_signed
from analysis.names.tokens import Token

_LIMIT = 2.4
_KNOWN = 2.5
_ONE = 1.0
_COMMON = 1.5
_PERSON = 1.0
_SURNAME_WEIGHT = 2.4
_SHORT_NAME_WEIGHT = 1.0
_LISTED = 3.0
_WORD = 0.5
_PREDICATE = 1.5
_PREDICATES = "vad"
"""Parts of speech of what is said of the word before: 曾 + 希望."""
_PEOPLE = ("nr", "nrfg")
_ODD_PARTS = frozenset(("ns", "nz", "v", "nt"))
_TITLES = cues("titles_of_people")
"""Behind a surname they make no full name."""
_OF_PLACES = "县郡镇村路市区乡站"
"""No given name ends with them."""
_FOREIGN_ENDS = frozenset("尼斯特尔德夫茨丝娜娃雅蒂")
_FAMILIES = "家姓氏"
_GIVEN_LIMIT = 2.0
_LAST_LIMIT = 0.8
_MARKS = frozenset("、，。：:；;（(）)！!？?》” \n")
_LEAST_LAST, _MOSTLY_LAST = -1.0, 1.0
_ALSO_GIVEN = "峰山州江河湖海岛港"
_PLACE_ENDS = frozenset("镇村乡县市州岛区庄沟堡屯寨街路河湖山峰湾港桥寺庙站")
"""With a last character of these, what the dictionary takes for a long name of a person is a place."""


def find_people(text: str, tokens: Sequence[Token]) -> Iterator[Name]:
    """Names of people in the order of the text, none inside another."""
    dotted = dotted_names(text, tokens)
    free = 0
    for place, token in enumerate(tokens):
        if place < free or not (place in dotted or _may_begin(token.text, token.part)):
            continue
        count = dotted.get(place) or _famous(tokens, place) or _plain(tokens, place)
        if count:
            start, end = tokens[place].start, tokens[place + count - 1].end
            yield Name(start, end, text[start:end], "person")
            free = place + count


def _plain(tokens: Sequence[Token], place: int) -> int:
    """Tokens of a name that no list has and that no dot joins."""
    if chinese := _chinese(tokens, place):
        longer = foreign_name(tokens, place)
        return longer if longer > chinese and tokens[place + longer - 1].text in _FOREIGN_ENDS else chinese
    return foreign_name(tokens, place)


@lru_cache(maxsize=20_000)
def _may_begin(word: str, part: str) -> bool:
    """Whether a name without a dot may begin with this word."""
    return word[0] in famous_letters() or has_surname(word) or sounds(word, part)


def _famous(tokens: Sequence[Token], place: int) -> int:
    """Tokens of the longest well-known name that begins there, where it does not go on as a name may."""
    text, best = "", 0
    if tokens[place].text[0] not in famous_letters():
        return 0
    for count, token in enumerate(tokens[place : place + 3], 1):
        text += token.text
        if is_famous(text):
            best = count
    return best


def is_place_like(word: str, part: str) -> bool:
    """A place that the dictionary has as a person: 万埠镇, 李家沟."""
    if len(word) < 3 or part not in ("nr", "nrt") or word[-1] not in _PLACE_ENDS:
        return False
    return word[-1] not in _ALSO_GIVEN or not _sounds_given(word)


def is_person_like(word: str, part: str) -> bool:
    """A person that the dictionary has as something else: 沈伯洋, 刘彦彬."""
    return part in _ODD_PARTS and len(word) == 3 and word[0] in sure_surnames() and word[-1] not in _PLACE_ENDS and not is_division(word) and _sounds_given(word)  # fmt: skip


def _sounds_given(word: str) -> bool:
    """Whether the last two of three characters are rather a given name behind a surname."""
    return word[0] in surnames() and weights(word[1]).middle + weights(word[2]).last > (
        _GIVEN_LIMIT - (_SURNAME_WEIGHT if word[0] in sure_surnames() else 0.0)
    )


def _chinese(tokens: Sequence[Token], place: int) -> int:
    """Tokens of the best Chinese name that begins there; 0 if none is good enough."""
    if is_place_like(tokens[place].text, tokens[place].part):
        return 0
    if not has_surname(tokens[place].text):
        return 0
    if is_signed(tokens, place):
        return 1
    best, most = 0, _LIMIT
    text = ""
    for count, token in enumerate(tokens[place : place + 3], 1):
        text += token.text
        if len(text) > 4 or not _may_be_given(token, count):
            break
        if len(text) >= 2 and (score := _score(text, tokens, place, count)) > most:
            best, most = count, score
    return 2 if best == 1 and _goes_on(tokens, place) else best


def _goes_on(tokens: Sequence[Token], place: int) -> bool:
    """Whether a name of two characters has a third, one that is in names mostly or stands before a mark: 王焯 + 冉, 李长 + 之 + 、."""
    if len(tokens[place].text) != 2 or place + 1 >= len(tokens) or tokens[place].text in surnames():
        return False
    letter = tokens[place + 1].text
    if (odds := weights(letter).last) > _MOSTLY_LAST:
        return letter not in _PLACE_ENDS
    return odds > _LEAST_LAST and (place + 2 >= len(tokens) or tokens[place + 2].text in _MARKS)


def _may_be_given(token: Token, count: int) -> bool:
    if not "\u4e00" <= token.text[0] <= "\u9fff":
        return False
    return count == 1 or (len(token.text) <= 2 and token.text not in SINGLE_WORDS)


def _score(text: str, tokens: Sequence[Token], place: int, count: int) -> float:
    double = text[:2] in surnames()
    if text[1:] in _TITLES or (len(text) > 2 and text[-1] in _OF_PLACES + OF_THINGS):
        return -9.0
    given = text[2:] if double and len(text) > 2 else text[1:]
    if not 1 <= len(given) <= 2 or not (double or text[0] in surnames()):
        return -9.0
    letters = [weights(letter) for letter in given]
    score = letters[0].middle + letters[1].last if len(given) == 2 else _only(letters[0])
    score += neighbours(tokens, place, count) + (2.0 if double and len(text) > 2 else 0.0)
    score -= _COMMON if is_common(text) else 0.0
    if count == 1:
        return score + _whole(text, tokens[place].part)
    parts = tokens[place : place + count]
    cut = len(letters) == 2 and [len(token.text) for token in parts] == [2, 1]
    if cut and parts[0].part in _PEOPLE and letters[1].last > _LAST_LIMIT:
        return score + _whole(text, parts[0].part)
    if tokens[place].text in sure_surnames():
        score += _SURNAME_WEIGHT
    noun = text[0] in sure_surnames() or parts[0].part[0] == "n"
    return score + sum(_word(token.part, noun) for token in parts if len(token.text) > 1)


def _word(part: str, noun: bool) -> float:
    """What a word of this part of speech adds as part of a name, behind a surname that is nothing else, or a noun, or other."""
    if part in ("nr", "nrfg"):
        return _PERSON
    return -_WORD if noun or part[0] not in _PREDICATES else -_PREDICATE


def _whole(word: str, part: str) -> float:
    """The evidence added if the dictionary, or its model of names, has the whole as a person."""
    if part not in _PEOPLE and not is_person_like(word, part):
        return -9.0
    sure = word[0] in sure_surnames()
    listed = part == "nrfg" and word[-1] not in _FAMILIES
    return _KNOWN + (_LISTED if listed else 0.0) + (_SURNAME_WEIGHT if len(word) > 2 else _SHORT_NAME_WEIGHT) * sure


def _only(letter: LetterWeights) -> float:
    return max(letter.single, letter.last - 0.5, letter.middle - 1.0) - _ONE
