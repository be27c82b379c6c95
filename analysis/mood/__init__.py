"""The mood of texts, of one and of many."""

from analysis.mood.classify import Label, Mood, Opinion, classify_mood
from analysis.mood.mood_spread import LABELS, MoodSpread, complaints, spread_of, wilson

__all__ = [
    "LABELS",
    "Label",
    "Mood",
    "MoodSpread",
    "Opinion",
    "classify_mood",
    "complaints",
    "spread_of",
    "wilson",
]
