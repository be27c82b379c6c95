"""The terms of topics: their store, candidates, review by people, and use in running crawls."""
