"""A page's bytes before they are parsed; see `extractors.encoding` and `extractors.parsing`."""

from libc.string cimport memchr


def utf8_length(bytes source):
    """How many characters these bytes are as UTF-8; −1 where they are none, by the same rules as Python's codec."""
    cdef const unsigned char* at = source
    cdef const unsigned char* end = at + len(source)
    cdef const unsigned char* begin = at
    cdef Py_ssize_t further = 0  # bytes behind the first of a character
    cdef uint64_t eight
    cdef unsigned char first, low, high
    cdef int more
    while at < end:
        if at + 8 <= end:
            memcpy(&eight, at, 8)
            if not eight & <uint64_t> 0x8080808080808080:
                at += 8
                continue
        first = at[0]
        at += 1
        if first < 0x80:
            continue
        low, high = 0x80, 0xBF  # of the second byte: no longer forms than needed, no surrogates, nothing beyond U+10FFFF
        if 0xC2 <= first <= 0xDF:
            more = 1
        elif 0xE0 <= first <= 0xEF:
            more = 2
            if first == 0xE0:
                low = 0xA0
            elif first == 0xED:
                high = 0x9F
        elif 0xF0 <= first <= 0xF4:
            more = 3
            if first == 0xF0:
                low = 0x90
            elif first == 0xF4:
                high = 0x8F
        else:
            return -1
        if end - at < more or not low <= at[0] <= high:
            return -1
        if more > 1 and not 0x80 <= at[1] <= 0xBF or more > 2 and not 0x80 <= at[2] <= 0xBF:
            return -1
        at += more
        further += more
    return end - begin - further


def far_apart(bytes source, Py_ssize_t distance):
    """Where those `<` stand whose next, or the end, is more than so many bytes away."""
    cdef const char* begin = source
    cdef const char* end = begin + len(source)
    cdef const char* at = <const char*> memchr(begin, c"<", end - begin)
    cdef const char* following
    cdef list found = []
    while at is not NULL:
        following = <const char*> memchr(at + 1, c"<", end - at - 1)
        if (following if following is not NULL else end) - at > distance:
            found.append(at - begin)
        at = following
    return found
