"""The web console: people see what is collected, steer the crawl, and decide."""
