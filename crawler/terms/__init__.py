"""A topic's terms at work: kept in the store, expanded, reviewed, and brought to crawls that run."""
