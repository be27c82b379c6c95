"""The terms of topics: their store, candidates for it, review by people, and use in running crawls."""
