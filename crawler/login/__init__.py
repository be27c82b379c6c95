"""Logging in: forms found and filled, the way over several hosts walked, lost sessions noticed and renewed once."""
