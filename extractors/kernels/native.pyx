# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""All kernels, one file for each group, as one extension module."""

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from cpython.unicode cimport PyUnicode_DATA, PyUnicode_DecodeUTF8, PyUnicode_GET_LENGTH, PyUnicode_KIND, PyUnicode_READ
from libc.math cimport sqrt
from libc.stdlib cimport free, malloc, qsort, realloc
from libc.string cimport memchr, memcmp, memcpy, memset, strcmp, strlen, strncmp, strstr

import os
import re
from ctypes import CDLL, c_void_p
from ctypes import cast as address
from itertools import islice
from math import fsum

import numpy as np
from lxml import etree
from lxml.etree import LIBXML_VERSION

from extractors import kernels
from extractors.text.regex_prefixes import possible_prefixes

cdef extern from *:
    """
    #ifndef TOPICRAWL_SOURCE
    #define TOPICRAWL_SOURCE ""
    #endif
    """
    const char* TOPICRAWL_SOURCE


def source():
    """The digest of the sources of this build."""
    return TOPICRAWL_SOURCE.decode("ascii")


include "names.pxi"
include "notes.pxi"
include "flat_tree.pxi"
include "events.pxi"
include "gathered.pxi"
include "forest_wide.pxi"
include "forest.pxi"
include "words.pxi"
include "votes.pxi"
include "characters.pxi"
include "letters.pxi"
include "columns.pxi"
include "lines.pxi"
include "blocks.pxi"
include "elements.pxi"
include "kinds.pxi"
include "features.pxi"
include "wording.pxi"
include "cuts.pxi"
include "concepts.pxi"
include "grams.pxi"
include "title_scan.pxi"
include "title_marks.pxi"
include "title_query.pxi"
include "titles.pxi"
include "title_lists.pxi"
include "title_names.pxi"
include "wording_bound.pxi"
include "wording_signs.pxi"
include "source.pxi"
include "code_texts.pxi"
include "texts.pxi"
include "record_signals.pxi"
include "record_groups.pxi"
include "record_layout.pxi"
include "record_reading.pxi"
