"""Stores titles in the index; see the functions of the same names in `extractors.titles.posting_lists`."""


cdef uint32_t mark_of(
    const uint32_t* own, Py_ssize_t number, const double[::1] floors, const double[::1] bounds
) noexcept:
    """The mark of a title with these terms."""
    cdef Py_ssize_t at, other, times, most = 1
    cdef uint32_t bits = 0, above = 0
    cdef double weight, squared = 0
    for at in range(number):
        bits |= <uint32_t> 1 << own[at] % TOPICRAWL_BITS
        for other in range(at):
            if own[other] == own[at]:
                break
        else:
            times = 1
            for other in range(at + 1, number):
                times += own[other] == own[at]
            most = max(most, times)
            weight = floors[own[at]] * <double> times
            squared += weight * weight
    squared /= <double> (most * most)
    while above < TOPICRAWL_CLASSES and bounds[above] <= squared:
        above += 1
    return above - 1 << TOPICRAWL_BITS | bits


def store_titles(
    list titles, Py_ssize_t position, const double[::1] bounds, uint32_t[::1] frequencies,
    const uint32_t[::1] offsets, const double[::1] floors, uint32_t[::1] pool, uint32_t[::1] marks, uint64_t[::1] signatures,
    uint32_t[::1] starts, uint32_t[::1] terms
):
    cdef Py_ssize_t title, at, other, begin, end = starts[position], several = len(titles)
    cdef list numbers, full = []
    cdef uint64_t signature
    cdef int64_t count, low
    cdef uint32_t number, mark
    if bounds.shape[0] != TOPICRAWL_CLASSES:
        raise ValueError("another number of classes")
    if position + several > signatures.shape[0] or position + several >= starts.shape[0]:
        raise IndexError("there must be room for the titles")
    for title in range(several):
        numbers, signature = titles[title], 0
        if end + len(numbers) > terms.shape[0]:
            raise IndexError("there must be room for the terms")
        for at in range(len(numbers)):
            if not 0 <= numbers[at] < frequencies.shape[0]:
                raise IndexError("a term that is not there")
            number = numbers[at]
            terms[end] = number
            end += 1
            signature |= <uint64_t> 1 << (number & 63)
            TOPICRAWL_PREFETCH(&pool[offsets[number] + frequencies[number]])
            TOPICRAWL_PREFETCH(&marks[offsets[number] + frequencies[number]])
        signatures[position + title], starts[position + title + 1] = signature, <uint32_t> end
    end = starts[position]
    for title in range(position, position + several):
        begin, end = end, starts[title + 1]
        if begin == end:
            continue
        mark = mark_of(&terms[begin], end - begin, floors, bounds)
        for at in range(begin, end):
            number = terms[at]
            for other in range(begin, at):
                if terms[other] == number:
                    break
            else:
                count = frequencies[number]
                low = count & -count
                if count == low or (count >= 64 and count <= 7 * low):
                    full.append((number, title, mark))
                else:
                    pool[offsets[number] + count] = <uint32_t> title
                    marks[offsets[number] + count] = mark
                    frequencies[number] = <uint32_t> (count + 1)
    return full


def count_titles(const uint32_t[::1] terms, const uint32_t[::1] starts, Py_ssize_t number, uint64_t[::1] signatures):
    cdef Py_ssize_t titles = signatures.shape[0], title, at, other, start = 0, end
    cdef uint32_t term
    cdef uint64_t signature
    frequencies = np.zeros(number, np.int64)
    cdef int64_t[::1] counts = frequencies
    if starts.shape[0] != titles + 1:
        raise ValueError("titles and signatures do not fit")
    for title in range(titles):
        end, signature = starts[title + 1], 0
        if not start <= end <= terms.shape[0]:
            raise ValueError("titles and terms do not fit")
        for at in range(start, end):
            term = terms[at]
            if term >= number:
                raise IndexError("a term that is not there")
            signature |= <uint64_t> 1 << (term & 63)
            for other in range(start, at):
                if terms[other] == term:
                    break
            else:
                counts[term] += 1
        signatures[title], start = signature, end
    return frequencies


def post_titles(
    const uint32_t[::1] terms, const uint32_t[::1] starts, const int64_t[::1] frequencies, offsets,
    const double[::1] floors, const double[::1] bounds, uint32_t[::1] pool, uint32_t[::1] beside
):
    cdef Py_ssize_t titles = starts.shape[0] - 1, title, at, other, start = 0, end, known = frequencies.shape[0]
    cdef int64_t[::1] nexts = offsets.copy()
    cdef int64_t place
    cdef uint32_t term, mark
    if bounds.shape[0] != TOPICRAWL_CLASSES or pool.shape[0] != beside.shape[0]:
        raise ValueError("columns do not fit")
    if floors.shape[0] < known or nexts.shape[0] != known:
        raise ValueError("columns of terms do not fit")
    for title in range(titles):
        end = starts[title + 1]
        if not start <= end <= terms.shape[0]:
            raise ValueError("titles and terms do not fit")
        for at in range(start, end):
            if terms[at] >= known:
                raise IndexError("a term that is not there")
        mark = mark_of(&terms[start], end - start, floors, bounds) if end > start else 0
        for at in range(start, end):
            term = terms[at]
            for other in range(start, at):
                if terms[other] == term:
                    break
            else:
                place = nexts[term]
                if not 0 <= place < pool.shape[0]:
                    raise IndexError("a list that is not there")
                pool[place], beside[place] = <uint32_t> title, mark
                nexts[term] = place + 1
        start = end
