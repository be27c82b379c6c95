"""Bounded queries of pages on store and frontier, paged by key."""
