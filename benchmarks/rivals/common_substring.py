"""Longest common substring (LCS) of the tags in breadth-first order: twice its length over both lengths."""

from difflib import SequenceMatcher

from benchmarks.rivals.shapes import Shape, breadth_first


def similarity(first: Shape, second: Shape) -> float:
    """0 … 1."""
    own, other = breadth_first(first), breadth_first(second)
    longest = SequenceMatcher(None, own, other, autojunk=False).find_longest_match().size
    return 2 * longest / (len(own) + len(other))
