"""Other people's ways of finding records, for comparison only."""
