"""What every page shares: declarations, visits, templates, words, paging, exports, safety headers."""
