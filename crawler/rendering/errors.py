"""What keeps a page from being rendered."""


class RenderError(Exception):
    """The page could not be rendered this time; the message says why."""


class NoBrowserError(ValueError):
    """There is nothing to render with; the message says what to install."""
