"""Text and wording of blocks; see `extractors.article.features.text` and `extractors.article.features.wording`.

Logarithms are computed by numpy, whose results differ from the C library's in the last digit.
"""


def block_counts(
    const int32_t[:, ::1] kinds, linked, const int64_t[::1] chunks, const int64_t[::1] start,
    Py_ssize_t cjk, Py_ssize_t stop, Py_ssize_t comma
):
    cdef const unsigned char[::1] is_linked = linked.view(np.uint8)
    cdef Py_ssize_t number = start.shape[0], several = kinds.shape[0], block, kind, place, end
    found, shares = np.zeros((several + 3, number), np.int64), np.empty((2, number), np.float64)
    cdef int64_t[:, ::1] counts = found
    cdef double[:, ::1] ratios = shares
    cdef int64_t chunk
    if max(cjk, stop, comma) >= several or min(cjk, stop, comma) < 0:
        raise ValueError("no such kind of characters")
    for block in range(number):
        end = start[block + 1] if block + 1 < number else chunks.shape[0]
        for place in range(start[block], end):
            chunk = chunks[place]
            for kind in range(several):
                counts[kind, block] += kinds[kind, chunk]
            if is_linked[chunk]:
                counts[several, block] += kinds[0, chunk]
        counts[several + 1, block] = counts[0, block] - counts[several, block]
        ratios[0, block] = <double> counts[cjk, block] + <double> (counts[0, block] - counts[cjk, block]) / 4.5
        ratios[1, block] = <double> counts[several, block] / <double> max(counts[0, block], 1)
        if ratios[0, block] >= 12 and ratios[1, block] < 0.4 and counts[stop, block] + counts[comma, block] > 0:
            counts[several + 2, block] = counts[several + 1, block]
    return found, shares


def text_shares(
    const int64_t[:, ::1] counts, const double[::1] words, const double[::1] density, const int64_t[::1] start,
    Py_ssize_t chunks, const int64_t[::1] divided, Py_ssize_t stop, Py_ssize_t comma
):
    cdef Py_ssize_t number = words.shape[0], block, kind
    cdef double length
    found = np.empty((10, number))
    cdef double[:, ::1] rows = found
    for block in range(number):
        length = <double> max(counts[0, block], 1)
        rows[0, block], rows[1, block] = words[block], density[block]
        for kind in range(4):
            rows[2 + kind, block] = <double> counts[divided[kind], block] / length
        rows[6, block] = <double> counts[stop, block]
        rows[7, block] = rows[6, block] / length
        rows[8, block] = <double> counts[comma, block]
        rows[9, block] = <double> ((start[block + 1] if block + 1 < number else chunks) - start[block])
    return found


def lines_end_with(list texts, const int64_t[::1] chunks, const int64_t[::1] start, str signs):
    cdef Py_ssize_t number = start.shape[0], place, last
    found = np.zeros(number, np.bool_)
    cdef unsigned char[::1] marks = found.view(np.uint8)
    cdef str text
    cdef Py_UCS4 character
    for place in range(number):
        text = texts[chunks[(start[place + 1] if place + 1 < number else chunks.shape[0]) - 1]]
        last = len(text)
        while last > 0 and text[last - 1].isspace():
            last -= 1
        if last == 0:
            marks[place] = True
        else:
            character = text[last - 1]
            marks[place] = character in signs
    return found


cdef struct Pairings:
    # pairs of neighbouring characters in a text, by remainders: a text with a missing pair is not contained
    unsigned char[4096] seen


cdef void note_pairings(str text, Pairings* found):
    cdef int kind = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    cdef Py_ssize_t place
    memset(found, 0, sizeof(Pairings))
    for place in range(len(text) - 1):
        found.seen[pairing(PyUnicode_READ(kind, data, place), PyUnicode_READ(kind, data, place + 1))] = True


cdef inline uint32_t pairing(Py_UCS4 first, Py_UCS4 second) noexcept:
    return (<uint32_t> first * 61 + <uint32_t> second) & 4095


cdef bint is_within(str text, str whole, const Pairings* pairings):
    cdef int kind = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    cdef Py_ssize_t last = len(text) - 1
    if not pairings.seen[pairing(PyUnicode_READ(kind, data, 0), PyUnicode_READ(kind, data, 1))]:
        return False
    if not pairings.seen[pairing(PyUnicode_READ(kind, data, last - 1), PyUnicode_READ(kind, data, last))]:
        return False
    return text in whole


def repeated_beginnings(list beginnings, str title, str summary):
    cdef Py_ssize_t number = len(beginnings), block
    cdef dict first = {}
    cdef list seen = []
    cdef str text
    cdef Py_ssize_t length, at
    found, earlier = np.empty((4, number)), np.empty(number, np.int64)
    cdef double[:, ::1] rows = found
    cdef int64_t[::1] place = earlier
    cdef Pairings of_title, of_summary
    note_pairings(title, &of_title)
    note_pairings(summary, &of_summary)
    for block in range(number):
        text = beginnings[block]
        length = len(text)
        at = first.setdefault(text, block)
        place[block] = at
        rows[2, block] = at < block
        rows[1, block] = 0
        rows[1, at] += 1
        if at < block:
            rows[0, block], rows[3, block] = rows[0, at], rows[3, at]
        else:
            rows[0, block] = length > 3 and is_within(text, title, &of_title)
            rows[3, block] = length > 8 and is_within(text, summary, &of_summary)
    for block in range(number):
        rows[1, block] = rows[1, place[block]]
    return found


def line_distances(const int8_t[::1] kinds, const int64_t[::1] length, int64_t shorter, Py_ssize_t several):
    cdef Py_ssize_t number = kinds.shape[0], kind, block, at
    found = np.empty((2 * several, number), np.int16)
    cdef int16_t[:, ::1] rows = found
    for kind in range(several):
        at = -60
        for block in range(number):
            if kinds[block] == kind + 1 and length[block] < shorter:
                at = block
            rows[kind, block] = <int16_t> min(block - at, 60)
        at = number + 60
        for block in range(number - 1, -1, -1):
            if kinds[block] == kind + 1 and length[block] < shorter:
                at = block
            rows[several + kind, block] = <int16_t> min(at - block, 60)
    return found
