"""Feeds and sitemaps: what a site lists about itself. One module reads each family of formats; `choosing` has the way in."""
