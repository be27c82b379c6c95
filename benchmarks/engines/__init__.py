"""Pages of forum software made from its own templates, with known records."""
