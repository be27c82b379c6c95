"""Features of a page's kind; see `extractors.html.structure`."""

cdef enum:
    IS_REPEATED = 1
    IS_LINK = 2
    IS_PICTURE = 4
    IS_HEADING = 8


cdef inline bint is_ascii_space(uint32_t letter) noexcept nogil:
    return letter == 32 or 9 <= letter <= 13 or 28 <= letter <= 31


cdef inline uint32_t small(uint32_t letter) noexcept nogil:
    return letter + 32 if 65 <= letter <= 90 else letter


cdef bint may_matter(
    const unsigned char* first, const unsigned char* end, const uint8_t* sieve, size_t mask, const uint8_t* begins,
    Py_ssize_t longest
) noexcept nogil:
    """Whether a folded Latin-1 text has the first and last character of a phrase of its length, or begins like a currency; true
    for texts that need more than ASCII folding."""
    cdef const unsigned char* at
    cdef uint32_t head, tail
    while first < end and is_ascii_space(first[0]):
        first += 1
    while end > first and is_ascii_space(end[-1]):
        end -= 1
    if first == end:
        return False
    head, tail = small(first[0]), small(end[-1])
    if head > 127 or tail > 127:
        return True
    if end - first > longest:
        return False
    at = first
    while at < end:
        if at[0] > 127:
            return True
        at += 1
    return begins[head] or sieve[(head * 61 + tail * 7 + (end - first)) & mask]


def phrases_and_prices(
    list texts, dict phrases, const uint8_t[::1] sieve, tuple currencies, Py_ssize_t longest
):
    """(bool[P], int): see `extractors.html.structure`."""
    found, first = np.zeros(len(phrases), np.bool_), np.zeros(128, np.uint8)
    cdef uint8_t[::1] begins = first
    cdef Py_ssize_t prices = 0
    cdef const unsigned char* letters
    cdef str text
    if sieve.shape[0] == 0 or sieve.shape[0] & (sieve.shape[0] - 1):
        raise ValueError("a sieve has a power of two of places")
    for sign in currencies:
        if ord(sign[0]) < 128:
            begins[ord(sign[0])] = 1
    for text in texts:
        letters = <const unsigned char*> PyUnicode_DATA(text) if PyUnicode_KIND(text) == 1 else NULL
        if letters is NULL or may_matter(
            letters, letters + PyUnicode_GET_LENGTH(text), &sieve[0], sieve.shape[0] - 1, &begins[0], longest
        ):
            text = text.strip()
            if PyUnicode_GET_LENGTH(text) > longest:  # lower-casing never shortens a text
                continue
            text = in_small_letters(text)
            if PyUnicode_GET_LENGTH(text) <= longest:
                number = phrases.get(text)
                if number is not None:
                    found[number] = True
                prices += text.startswith(currencies)
    return found, prices


def repeated_siblings(
    const uint8_t[::1] bits, const int32_t[::1] end, const int64_t[::1] group, const int64_t[::1] text_length,
    const int64_t[::1] link_length, Py_ssize_t least_chars, Py_ssize_t least_number
):
    """int64[6]: see `extractors.html.structure`."""
    cdef Py_ssize_t number = bits.shape[0], place, stop, best = -1
    cdef int64_t most = 0
    running, amounts, sizes = np.zeros((3, number + 1), np.int32), np.zeros(number, np.int64), np.zeros(number, np.int32)
    cdef int32_t[:, ::1] before = running
    cdef int64_t[::1] amount = amounts
    cdef int32_t[::1] size = sizes
    found = np.zeros(6, np.int64)
    cdef int64_t[::1] known = found
    for place in range(number):
        before[0, place + 1] = before[0, place] + ((bits[place] & IS_LINK) != 0)
        before[1, place + 1] = before[1, place] + ((bits[place] & IS_PICTURE) != 0)
        before[2, place + 1] = before[2, place] + ((bits[place] & IS_HEADING) != 0)
    for place in range(number):
        stop = end[place]
        if bits[place] & IS_REPEATED and text_length[place] >= least_chars and before[0, stop] > before[0, place]:
            amount[group[place]] += text_length[place]
            size[group[place]] += 1
    for place in range(number):
        if size[place] >= least_number and amount[place] > most:
            most, best = amount[place], place
    if best < 0:
        return found
    for place in range(number):
        stop = end[place]
        if (
            group[place] == best and bits[place] & IS_REPEATED and text_length[place] >= least_chars
            and before[0, stop] > before[0, place]
        ):
            known[0] += 1
            known[1] += text_length[place]
            known[2] += text_length[place] * text_length[place]
            known[3] += link_length[place]
            known[4] += before[1, stop] > before[1, place]
            known[5] += before[2, stop] > before[2, place]
    return found
