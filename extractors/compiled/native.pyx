# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The compiled rooms, one file each, as one module: a process loads it once."""

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t

import os

import numpy as np

cdef extern from *:
    """
    #ifndef TOPICRAWL_SOURCE
    #define TOPICRAWL_SOURCE ""
    #endif
    """
    const char* TOPICRAWL_SOURCE


def source():
    """The digest of the sources that this was built from."""
    return TOPICRAWL_SOURCE.decode("ascii")


include "tree.pxi"
include "forest.pxi"
include "words.pxi"
include "votes.pxi"
include "characters.pxi"
include "columns.pxi"
include "features.pxi"
include "cuts.pxi"
include "concepts.pxi"
include "source.pxi"
include "texts.pxi"
include "records.pxi"
