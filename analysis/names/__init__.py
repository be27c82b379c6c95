"""Names of people, places and organisations in Chinese texts."""

from analysis.names.divisions import Division, find_division
from analysis.names.model import Kind, Name
from analysis.names.name_search import find_names

__all__ = ["Division", "Kind", "Name", "divisions", "find_division", "find_names"]
