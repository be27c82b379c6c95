"""Small pages written after the public templates of engines, filled with chance content, and what stands in them."""

from tests.extractors.records.engines import boards, comments, lists, questions, tiezi
from tests.extractors.records.engines.content import NOW, Built, Line, Post

ENGINES = boards.ENGINES | tiezi.ENGINES | comments.ENGINES | questions.ENGINES
LISTS = lists.ENGINES

__all__ = ("ENGINES", "LISTS", "NOW", "Built", "Line", "Post")
