"""The index of titles; see the functions of the same names in `extractors.titles.search`.

No branch of the loops over titles depends on what is read, so that many reads from far apart are under way at once.
"""

cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define TOPICRAWL_POPCOUNT(bits) __builtin_popcountll(bits)
    #else
    static int topicrawl_popcount(uint64_t bits) {
        bits -= (bits >> 1) & 0x5555555555555555ULL;
        bits = (bits & 0x3333333333333333ULL) + ((bits >> 2) & 0x3333333333333333ULL);
        return (int) ((((bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0FULL) * 0x0101010101010101ULL) >> 56);
    }
    #define TOPICRAWL_POPCOUNT(bits) topicrawl_popcount(bits)
    #endif

    enum { TOPICRAWL_TITLES = 256 };

    /* the listed titles whose signatures share at least so many bits with the mask; how many */
    WIDEST static ptrdiff_t topicrawl_sharing(
        const uint32_t *listed, ptrdiff_t number, const uint64_t *signatures, uint64_t mask, int least, uint32_t *places
    ) {
        ptrdiff_t left = 0;
        for (ptrdiff_t at = 0; at < number; at++) {
            places[left] = listed[at];
            left += TOPICRAWL_POPCOUNT(signatures[listed[at]] & mask) >= least;
        }
        return left;
    }

    /* those of the places, moved to the front, both of whose signatures share bits that carry enough; how many */
    WIDEST static ptrdiff_t topicrawl_carrying(
        uint32_t *places, ptrdiff_t number, const uint64_t *signatures, const uint64_t *seconds, const uint32_t *terms,
        const double *squares, ptrdiff_t asked, double enough
    ) {
        double masses[TOPICRAWL_TITLES] = {0};
        uint64_t first[TOPICRAWL_TITLES], second[TOPICRAWL_TITLES];
        ptrdiff_t left = 0;
        for (ptrdiff_t at = 0; at < number; at++) {
            first[at] = signatures[places[at]];
            second[at] = seconds[places[at]];
        }
        for (ptrdiff_t term = 0; term < asked; term++) {
            const int low = terms[term] & 63, high = terms[term] >> 6 & 63;
            const double square = squares[term];
            for (ptrdiff_t at = 0; at < number; at++)
                masses[at] += ((first[at] >> low) & (second[at] >> high) & 1) ? square : 0.0;
        }
        for (ptrdiff_t at = 0; at < number; at++) {
            places[left] = places[at];
            left += masses[at] >= enough;
        }
        return left;
    }
    """
    enum: TOPICRAWL_TITLES
    Py_ssize_t topicrawl_sharing(
        const uint32_t*, Py_ssize_t, const uint64_t*, uint64_t, int, uint32_t*
    ) noexcept nogil
    Py_ssize_t topicrawl_carrying(
        uint32_t*, Py_ssize_t, const uint64_t*, const uint64_t*, const uint32_t*, const double*, Py_ssize_t, double
    ) noexcept nogil
    int TOPICRAWL_POPCOUNT(uint64_t) noexcept nogil


cdef struct Asked:
    # known terms of a title from rare to common, each once; their weights and squares; room for as many squares
    Py_ssize_t number
    uint32_t* terms
    double* weights
    double* squares
    double* sorted


cdef void weigh(list numbers, const double[::1] logs, double unknown, Asked* asked):
    cdef Py_ssize_t at, later
    cdef uint32_t number
    cdef double weight
    cdef double* rarities = asked.sorted
    asked.number = 0
    for number in numbers:
        weight, at = unknown - logs[number], asked.number
        while at and rarities[at - 1] < weight:
            at -= 1
        while at and rarities[at - 1] == weight and asked.terms[at - 1] > number:
            at -= 1
        if at and rarities[at - 1] == weight and asked.terms[at - 1] == number:
            asked.weights[at - 1] += weight
            continue
        for later in range(asked.number, at, -1):
            asked.terms[later], asked.weights[later] = asked.terms[later - 1], asked.weights[later - 1]
            rarities[later] = rarities[later - 1]
        asked.terms[at], asked.weights[at], rarities[at] = number, weight, weight
        asked.number += 1
    for at in range(asked.number):
        asked.squares[at] = asked.weights[at] * asked.weights[at]


cdef int least_shared(const Asked* asked, Py_ssize_t begin, double enough) noexcept:
    """How many of the terms from `begin` on must be shared at least to carry enough."""
    cdef Py_ssize_t at, place, number = asked.number - begin
    cdef double square
    for at in range(number):
        square, place = asked.squares[begin + at], at
        while place and asked.sorted[place - 1] < square:
            asked.sorted[place] = asked.sorted[place - 1]
            place -= 1
        asked.sorted[place] = square
    at = 0
    while enough > 0 and at < number:
        enough -= asked.sorted[at]
        at += 1
    return <int> at


cdef uint64_t signature_of(const Asked* asked, Py_ssize_t begin) noexcept:
    cdef uint64_t bits = 0
    cdef Py_ssize_t at
    for at in range(begin, asked.number):
        bits |= <uint64_t> 1 << (asked.terms[at] & 63)
    return bits


cdef bint is_near(
    const uint32_t* own, Py_ssize_t number, uint64_t mask, const Asked* asked, const double* logs, double unknown,
    double enough
) noexcept:
    """Whether a title's cosine is high enough; the weights of its other terms, far apart in memory, are read last."""
    cdef double dot = 0, norm = 0, carried = 0, weight
    cdef Py_ssize_t at, term, other
    for at in range(number):
        if mask >> (own[at] & 63) & 1:
            for term in range(asked.number):
                if asked.terms[term] == own[at]:
                    dot += (unknown - logs[own[at]]) * asked.weights[term]
                    carried += asked.squares[term]
                    break
    if carried < enough:
        return False
    for at in range(number):
        for other in range(at):
            if own[other] == own[at]:
                break
        else:
            weight = unknown - logs[own[at]]
            for other in range(at + 1, number):
                if own[other] == own[at]:
                    weight += unknown - logs[own[at]]
            norm += weight * weight
    return dot * dot >= enough * norm


def near_titles(
    list numbers, double cosine_squared, double unknown, double strange, const uint32_t[::1] frequencies,
    const uint32_t[::1] offsets, const double[::1] logs, const uint32_t[::1] pool, const uint64_t[::1] signatures,
    const uint64_t[::1] seconds, const uint32_t[::1] starts, const uint32_t[::1] terms
):
    cdef Asked asked
    cdef uint32_t[TOPICRAWL_TITLES] places
    cdef uint32_t[TOPICRAWL_TITLES] begins
    cdef Py_ssize_t several = len(numbers), probe, at, first, last, left
    cdef double rest = 0, enough
    cdef uint64_t every, mask
    cdef int least
    cdef uint32_t place
    cdef set found = set()
    for number in numbers:
        if not 0 <= number < frequencies.shape[0]:
            raise IndexError("a term that is not there")
    if not several:
        return []
    cdef double* room = <double*> malloc(several * (3 * sizeof(double) + sizeof(uint32_t)))
    if room == NULL:
        raise MemoryError
    try:
        asked.weights, asked.squares, asked.sorted = room, room + several, room + 2 * several
        asked.terms = <uint32_t*> (room + 3 * several)
        weigh(numbers, logs, unknown, &asked)
        for at in range(asked.number):
            rest += asked.squares[at]
        enough = cosine_squared * (rest + strange)
        every = signature_of(&asked, 0)
        for probe in range(asked.number):
            if rest < enough:
                break
            rest -= asked.squares[probe]
            mask = signature_of(&asked, probe)
            least = least_shared(&asked, probe, enough) - <int> (asked.number - probe) + TOPICRAWL_POPCOUNT(mask)
            first = offsets[asked.terms[probe]]
            last = first + frequencies[asked.terms[probe]]
            while first < last:
                left = topicrawl_sharing(
                    &pool[first], min(last - first, TOPICRAWL_TITLES), &signatures[0], mask, least, places
                )
                left = topicrawl_carrying(
                    places, left, &signatures[0], &seconds[0], asked.terms + probe, asked.squares + probe,
                    asked.number - probe, enough * (1 - 1e-9)
                )
                for at in range(left):
                    begins[at] = starts[places[at]]
                for at in range(left):
                    place = places[at]
                    if is_near(
                        &terms[begins[at]], starts[place + 1] - begins[at], every, &asked, &logs[0], unknown, enough
                    ):
                        found.add(place)
                first += TOPICRAWL_TITLES
    finally:
        free(room)
    return sorted(found) if found else []


def store_title(
    list numbers, Py_ssize_t start, Py_ssize_t position, const double[::1] logarithms, uint32_t[::1] frequencies,
    const uint32_t[::1] offsets, double[::1] logs, uint32_t[::1] pool, uint64_t[::1] signatures, uint64_t[::1] seconds,
    uint32_t[::1] terms
):
    cdef Py_ssize_t at, other, several = len(numbers)
    cdef uint64_t first = 0, second = 0
    cdef int64_t count, low
    cdef uint32_t number
    cdef list full = []
    if start + several > terms.shape[0] or not 0 <= position < min(signatures.shape[0], seconds.shape[0]):
        raise IndexError("there must be room for the title")
    for at in range(several):
        if not 0 <= numbers[at] < frequencies.shape[0]:
            raise IndexError("a term that is not there")
        number = numbers[at]
        terms[start + at] = number
        first |= <uint64_t> 1 << (number & 63)
        second |= <uint64_t> 1 << (number >> 6 & 63)
    signatures[position], seconds[position] = first, second
    for at in range(start, start + several):
        number = terms[at]
        for other in range(start, at):
            if terms[other] == number:
                break
        else:
            count = frequencies[number]
            low = count & -count
            if count == low or (count >= 64 and count <= 7 * low) or count + 2 >= logarithms.shape[0]:
                full.append(number)
            else:
                pool[offsets[number] + count] = <uint32_t> position
                frequencies[number] = <uint32_t> (count + 1)
                logs[number] = logarithms[count + 2]
    return full


def post_titles(const uint32_t[::1] terms, lengths, Py_ssize_t number, slabs):
    cdef const int64_t[::1] ends = np.cumsum(lengths, dtype=np.int64)
    cdef Py_ssize_t titles = ends.shape[0], title, at, other, start
    cdef uint32_t term
    cdef int64_t[::1] counts = np.zeros(number, np.int64)
    cdef int64_t[::1] nexts
    cdef uint32_t[::1] listed
    firsts, seconds = np.zeros(titles, np.uint64), np.zeros(titles, np.uint64)
    cdef uint64_t[::1] first = firsts
    cdef uint64_t[::1] second = seconds
    if (ends[titles - 1] if titles else 0) != terms.shape[0]:
        raise ValueError("lengths and terms do not fit")
    for at in range(terms.shape[0]):
        if terms[at] >= number:
            raise IndexError("a term that is not there")
    start = 0
    for title in range(titles):
        for at in range(start, ends[title]):
            term = terms[at]
            first[title] |= <uint64_t> 1 << (term & 63)
            second[title] |= <uint64_t> 1 << (term >> 6 & 63)
            for other in range(start, at):
                if terms[other] == term:
                    break
            else:
                counts[term] += 1
        start = ends[title]
    frequencies = np.asarray(counts)
    sizes = slabs[np.searchsorted(slabs, frequencies)]
    offsets = np.cumsum(sizes) - sizes
    pool = np.zeros(int(sizes.sum()), np.uint32)
    nexts, listed = offsets.copy(), pool
    start = 0
    for title in range(titles):
        for at in range(start, ends[title]):
            term = terms[at]
            for other in range(start, at):
                if terms[other] == term:
                    break
            else:
                listed[nexts[term]] = <uint32_t> title
                nexts[term] += 1
        start = ends[title]
    return frequencies, offsets, pool, firsts, seconds
