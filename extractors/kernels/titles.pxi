"""Search in the index of titles; see the functions of the same names in `extractors.titles.search` and `cosines`.

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
    #if defined(__GNUC__) || defined(__clang__)
    #define TOPICRAWL_PREFETCH(address) __builtin_prefetch(address)
    #else
    #define TOPICRAWL_PREFETCH(address)
    #endif
    #if defined(__GNUC__) && !defined(__clang__)
    #define TOPICRAWL_VECTORS __attribute__((optimize("O3")))
    #else
    #define TOPICRAWL_VECTORS
    #endif

    enum { TOPICRAWL_TITLES = 1024, TOPICRAWL_BITS = 27, TOPICRAWL_CLASSES = 32 };

    /* which of the titles have a mark of a class that is below the one for as many bits as it shares with the mask; how many */
    WIDEST static ptrdiff_t topicrawl_sharing(
        const uint32_t *marks, ptrdiff_t number, uint32_t mask, const uint32_t *classes, uint32_t *kept
    ) {
        ptrdiff_t left = 0;
        for (ptrdiff_t at = 0; at < number; at++) {
            kept[left] = (uint32_t) at;
            left += marks[at] >> TOPICRAWL_BITS < classes[TOPICRAWL_POPCOUNT(marks[at] & mask)];
        }
        return left;
    }

    /* those of the kept whose marks, and then whose signatures too, share bits that carry what their class needs, as places and what
       each needs; how many */
    WIDEST TOPICRAWL_VECTORS static ptrdiff_t topicrawl_carrying(
        const uint32_t *listed, const uint32_t *marks, const uint32_t *kept, ptrdiff_t number, const uint64_t *signatures,
        const uint32_t *terms, const double *squares, ptrdiff_t asked, const double *needs, uint32_t *places, double *needed
    ) {
        double masses[TOPICRAWL_TITLES];
        uint32_t own[TOPICRAWL_TITLES];
        uint64_t signed_[TOPICRAWL_TITLES];
        ptrdiff_t left = 0, near = 0;
        for (ptrdiff_t at = 0; at < number; at++) {
            own[at] = marks[kept[at]];
            masses[at] = 0.0;
        }
        for (ptrdiff_t term = 0; term < asked; term++) {
            const uint32_t bit = terms[term] % TOPICRAWL_BITS;
            const double square = squares[term];
            for (ptrdiff_t at = 0; at < number; at++)
                masses[at] += (double) (int32_t) (own[at] >> bit & 1) * square;
        }
        for (ptrdiff_t at = 0; at < number; at++) {
            own[left] = own[at];
            places[left] = listed[kept[at]];
            left += masses[at] >= needs[own[at] >> TOPICRAWL_BITS];
        }
        for (ptrdiff_t at = 0; at < left; at++)
            TOPICRAWL_PREFETCH(&signatures[places[at]]);
        for (ptrdiff_t at = 0; at < left; at++) {
            signed_[at] = signatures[places[at]];
            masses[at] = 0.0;
        }
        for (ptrdiff_t term = 0; term < asked; term++) {
            const uint32_t bit = terms[term] % TOPICRAWL_BITS, low = terms[term] & 63;
            const double square = squares[term];
            for (ptrdiff_t at = 0; at < left; at++)
                masses[at] += (double) (int32_t) (own[at] >> bit & signed_[at] >> low & 1) * square;
        }
        for (ptrdiff_t at = 0; at < left; at++) {
            places[near] = places[at];
            needed[near] = needs[own[at] >> TOPICRAWL_BITS];
            near += masses[at] >= needed[near];
        }
        return near;
    }
    """
    enum: TOPICRAWL_TITLES
    enum: TOPICRAWL_BITS
    enum: TOPICRAWL_CLASSES
    Py_ssize_t topicrawl_sharing(const uint32_t*, Py_ssize_t, uint32_t, const uint32_t*, uint32_t*) noexcept nogil
    Py_ssize_t topicrawl_carrying(
        const uint32_t*, const uint32_t*, const uint32_t*, Py_ssize_t, const uint64_t*, const uint32_t*, const double*,
        Py_ssize_t, const double*, uint32_t*, double*
    ) noexcept nogil
    void TOPICRAWL_PREFETCH(const void*) noexcept nogil
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


cdef uint32_t classes_below(const Asked* asked, Py_ssize_t begin, const double* needs, uint32_t* classes) noexcept:
    """For each number of bits that a title's mark may share with the terms from `begin` on: of how many of the lowest classes the
    title can be. Returns the bits."""
    cdef Py_ssize_t at, place, number = asked.number - begin, bits, apart
    cdef double square, carried = 0
    cdef uint32_t mask = 0, below = 0
    for at in range(number):
        mask |= <uint32_t> 1 << asked.terms[begin + at] % TOPICRAWL_BITS
        square, place = asked.squares[begin + at], at
        while place and asked.sorted[place - 1] < square:
            asked.sorted[place] = asked.sorted[place - 1]
            place -= 1
        asked.sorted[place] = square
    bits = TOPICRAWL_POPCOUNT(mask)
    apart = number - bits
    for at in range(number + 1):
        while below < TOPICRAWL_CLASSES and needs[below] <= carried:
            below += 1
        if at >= apart:
            classes[at - apart] = below
        if at < number:
            carried += asked.sorted[at]
    return mask


cdef uint64_t signature_of(const Asked* asked) noexcept:
    cdef uint64_t bits = 0
    cdef Py_ssize_t at
    for at in range(asked.number):
        bits |= <uint64_t> 1 << (asked.terms[at] & 63)
    return bits


cdef bint is_near(
    const uint32_t* own, Py_ssize_t number, uint64_t mask, const Asked* asked, const double* logs, double unknown,
    double enough, double needed
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
    if carried < needed:
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
    list numbers, double cosine_squared, double unknown, double strange, const double[::1] bounds,
    const uint32_t[::1] frequencies, const uint32_t[::1] offsets, const double[::1] logs, const uint32_t[::1] pool,
    const uint32_t[::1] marks, const uint64_t[::1] signatures, const uint32_t[::1] starts, const uint32_t[::1] terms
):
    cdef Asked asked
    cdef uint32_t[TOPICRAWL_TITLES] kept
    cdef uint32_t[TOPICRAWL_TITLES] places
    cdef uint32_t[TOPICRAWL_TITLES] begins
    cdef uint32_t[TOPICRAWL_BITS + 1] classes
    cdef double[TOPICRAWL_CLASSES] needs
    cdef double[TOPICRAWL_TITLES] needed
    cdef Py_ssize_t several = len(numbers), probe, at, first, last, left
    cdef double rest = 0, enough
    cdef uint64_t every
    cdef uint32_t place, mask
    cdef set found = set()
    if bounds.shape[0] != TOPICRAWL_CLASSES:
        raise ValueError("another number of classes")
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
        for at in range(TOPICRAWL_CLASSES):
            needs[at] = max(enough, sqrt(enough * bounds[at])) * (1 - 1e-9)
        every = signature_of(&asked)
        for probe in range(asked.number):
            if rest < enough:
                break
            rest -= asked.squares[probe]
            mask = classes_below(&asked, probe, needs, classes)
            first = offsets[asked.terms[probe]]
            last = first + frequencies[asked.terms[probe]]
            while first < last:
                left = topicrawl_sharing(&marks[first], min(last - first, TOPICRAWL_TITLES), mask, classes, kept)
                if left:
                    left = topicrawl_carrying(
                        &pool[first], &marks[first], kept, left, &signatures[0], asked.terms + probe, asked.squares + probe,
                        asked.number - probe, needs, places, needed
                    )
                for at in range(left):
                    TOPICRAWL_PREFETCH(&starts[places[at]])
                for at in range(left):
                    begins[at] = starts[places[at]]
                    TOPICRAWL_PREFETCH(&terms[begins[at]])
                for at in range(left):
                    place = places[at]
                    if is_near(
                        &terms[begins[at]], starts[place + 1] - begins[at], every, &asked, &logs[0], unknown, enough, needed[at]
                    ):
                        found.add(place)
                first += TOPICRAWL_TITLES
    finally:
        free(room)
    return sorted(found) if found else []


def cosines_of(
    list places, list asked, list weights, double norm, double unknown, const double[::1] logs, const uint32_t[::1] starts,
    const uint32_t[::1] terms
):
    cdef Py_ssize_t several = len(asked), titles = starts.shape[0] - 1, at, begin, end, other
    cdef Py_ssize_t place
    cdef double dot, squared, weight
    cdef uint64_t mask = 0
    cdef list found = []
    if len(weights) != several:
        raise ValueError("terms and weights do not fit")
    cdef double* known = <double*> malloc((several + 1) * (sizeof(double) + sizeof(uint32_t)))
    cdef uint32_t* numbers = <uint32_t*> (known + several)
    if known == NULL:
        raise MemoryError
    try:
        for at in range(several):
            known[at], numbers[at] = weights[at], asked[at]
            mask |= <uint64_t> 1 << (numbers[at] & 63)
        for place in places:
            if not 0 <= place < titles:
                raise IndexError("a title that is not there")
            begin, end, dot, squared = starts[place], starts[place + 1], 0, 0
            for at in range(begin, end):
                for other in range(begin, at):
                    if terms[other] == terms[at]:
                        break
                else:
                    weight = unknown - logs[terms[at]]
                    for other in range(at + 1, end):
                        if terms[other] == terms[at]:
                            weight += unknown - logs[terms[at]]
                    squared += weight * weight
                    if mask >> (terms[at] & 63) & 1:
                        for other in range(several):
                            if numbers[other] == terms[at]:
                                dot += weight * known[other]
                                break
            found.append(min(1.0, dot / sqrt(norm * squared)))
    finally:
        free(known)
    return found
