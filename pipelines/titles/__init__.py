"""Reposts, found by title."""
