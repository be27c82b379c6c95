"""Reposts by title."""
