"""Words beside people's names, and characters that may begin one."""

from collections.abc import Sequence

from analysis.names.known import cues, words_of
from analysis.names.letters import surnames
from analysis.names.tokens import Token

BEFORE = cues("before_people")
AFTER = cues("after_people")
SINGLE_WORDS = cues("single_words")
NOT_IN_FOREIGN = SINGLE_WORDS | AFTER | {"新冠"}
OF_THINGS = "费宴汤症病率额款税券罪粉饼糕饭菜肉药膏仪衣裤鞋帽椅桌"
"""Words that jieba's model of names takes for names: 维修费, 红豆汤."""
ROLE_ENDS = "长员家师手"
_CONTEXT = 1.6


def neighbours(tokens: Sequence[Token], place: int, count: int) -> float:
    """The evidence that the words beside some tokens add to the odds that they are a name."""
    after = tokens[place + count].text if place + count < len(tokens) else ""
    return _CONTEXT * ((place > 0 and is_role(tokens[place - 1])) + (after in AFTER))


def is_role(token: Token) -> bool:
    """Whether a person's name may follow: 记者, 市委副书记, 摄影家."""
    if token.text in BEFORE or token.text[-2:] in BEFORE:
        return True
    return len(token.text) > 1 and token.part.startswith("n") and token.text[-1] in ROLE_ENDS


def has_surname(word: str) -> bool:
    """Whether the word begins with a surname, and is not known as something else."""
    return word not in words_of("person") and (word[0] in surnames() or word[:2] in surnames())
