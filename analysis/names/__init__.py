"""Names of people, places and organisations in Chinese texts."""

from analysis.names.divisions import Division, find_division
from analysis.names.find import find_names
from analysis.names.model import Kind, Name

__all__ = ["Division", "Kind", "Name", "find_division", "find_names"]
