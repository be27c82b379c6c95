"""Sources: lists of any shape that a recipe describes (settings/sources/NAME.yaml), or that are clearly lists without one."""

__all__ = [
    "list_addresses",
    "list_answers",
    "list_health",
    "list_outputs",
    "recipe_text",
    "source_catalog",
    "source_requests",
    "templates",
    "trying",
]
