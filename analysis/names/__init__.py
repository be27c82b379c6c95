"""Names of people, places and organisations in Chinese texts."""

from analysis.names.divisions import Division, codes_of, country_of, division_of, find_division
from analysis.names.model import Kind, Name
from analysis.names.name_search import find_names
from analysis.names.surroundings import near_codes

__all__ = [
    "Division",
    "Kind",
    "Name",
    "codes_of",
    "country_of",
    "division_of",
    "find_division",
    "find_names",
    "near_codes",
]
