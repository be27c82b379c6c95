"""The mood of texts, of one and of many."""

from analysis.mood.classify import Mood, Opinion, classify_mood
from analysis.mood.mood_spread import MoodSpread, complaints, spread_of

__all__ = ["Mood", "MoodSpread", "Opinion", "classify_mood", "complaints", "spread_of"]
