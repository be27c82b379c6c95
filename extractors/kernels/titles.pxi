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

    /* those of the kept whose marks share bits that carry what their class needs, as places and their marks; how many. Their
       signatures are on their way into the cache then. */
    WIDEST TOPICRAWL_VECTORS static ptrdiff_t topicrawl_carrying(
        const uint32_t *listed, const uint32_t *marks, const uint32_t *kept, ptrdiff_t number, const uint64_t *signatures,
        const uint32_t *terms, const double *squares, ptrdiff_t asked, const double *needs, uint32_t *places, uint32_t *own
    ) {
        double masses[TOPICRAWL_TITLES];
        ptrdiff_t left = 0;
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
        return left;
    }

    /* those of the places whose signatures too share bits that carry what their class needs, and what each needs; how many */
    WIDEST TOPICRAWL_VECTORS static ptrdiff_t topicrawl_signed(
        uint32_t *places, const uint32_t *own, ptrdiff_t number, const uint64_t *signatures, const uint32_t *terms,
        const double *squares, ptrdiff_t asked, const double *needs, double *needed
    ) {
        double masses[TOPICRAWL_TITLES];
        uint64_t signed_[TOPICRAWL_TITLES];
        ptrdiff_t near = 0;
        for (ptrdiff_t at = 0; at < number; at++) {
            signed_[at] = signatures[places[at]];
            masses[at] = 0.0;
        }
        for (ptrdiff_t term = 0; term < asked; term++) {
            const uint32_t bit = terms[term] % TOPICRAWL_BITS, low = terms[term] & 63;
            const double square = squares[term];
            for (ptrdiff_t at = 0; at < number; at++)
                masses[at] += (double) (int32_t) (own[at] >> bit & signed_[at] >> low & 1) * square;
        }
        for (ptrdiff_t at = 0; at < number; at++) {
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
        Py_ssize_t, const double*, uint32_t*, uint32_t*
    ) noexcept nogil
    Py_ssize_t topicrawl_signed(
        uint32_t*, const uint32_t*, Py_ssize_t, const uint64_t*, const uint32_t*, const double*, Py_ssize_t, const double*, double*
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
    # by the lowest six bits of a term: one of the asked terms, from 1 on, and for each of them the next one with these bits
    uint32_t[64] slots
    uint32_t* others


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


cdef void by_low_bits(Asked* asked) noexcept:
    """Note by the lowest six bits of a term where it is among the asked ones."""
    cdef Py_ssize_t at
    memset(asked.slots, 0, sizeof(asked.slots))
    for at in range(asked.number):
        asked.others[at] = asked.slots[asked.terms[at] & 63]
        asked.slots[asked.terms[at] & 63] = <uint32_t> at + 1


cdef inline uint32_t place_of(const Asked* asked, uint32_t term) noexcept:
    """From 1 on; 0 for a term that is not asked."""
    cdef uint32_t at = asked.slots[term & 63]
    while at and asked.terms[at - 1] != term:
        at = asked.others[at - 1]
    return at


cdef bint carries(const uint32_t* own, Py_ssize_t number, const Asked* asked, const double* logs, double needed) noexcept:
    """Whether the terms that a title shares carry what is needed. If so, the logarithms of all its terms, far apart in memory, are on
    their way into the cache then."""
    cdef double carried = 0
    cdef Py_ssize_t at
    cdef uint32_t place
    for at in range(number):
        place = place_of(asked, own[at])
        if place:
            carried += asked.squares[place - 1]
    if carried < needed:
        return False
    for at in range(number):
        TOPICRAWL_PREFETCH(&logs[own[at]])
    return True


cdef double cosine_of(
    const uint32_t* own, Py_ssize_t number, uint64_t signature, const Asked* asked, const double* logs, double unknown, double norm
) noexcept:
    """With a title. Sums are in the order of its terms."""
    cdef double dot = 0, squared = 0, weight
    cdef Py_ssize_t at, other
    cdef uint32_t place, term
    cdef bint once = TOPICRAWL_POPCOUNT(signature) == number
    for at in range(number):
        term = own[at]
        weight = unknown - logs[term]
        if not once:
            other = 0
            while own[other] != term:
                other += 1
            if other < at:
                continue
            for other in range(at + 1, number):
                if own[other] == term:
                    weight += unknown - logs[term]
        squared += weight * weight
        place = place_of(asked, term)
        if place:
            dot += weight * asked.weights[place - 1]
    return min(1.0, dot / sqrt(norm * squared))


cdef struct Near:
    double cosine
    uint32_t place


cdef int by_cosine(const void* one, const void* other) noexcept nogil:
    """The nearest first, of equals the earliest."""
    cdef const Near* first = <const Near*> one
    cdef const Near* second = <const Near*> other
    if first.cosine != second.cosine:
        return -1 if first.cosine > second.cosine else 1
    return (first.place > second.place) - (first.place < second.place)


cdef list in_order(Near* near, Py_ssize_t number):
    """As cosines and places, each once."""
    cdef Py_ssize_t at
    cdef list found = []
    qsort(near, number, sizeof(Near), by_cosine)
    for at in range(number):
        if not at or near[at].place != near[at - 1].place:
            found.append((near[at].cosine, near[at].place))
    return found


def near_titles(
    list numbers, double cosine, double unknown, list strange, const double[::1] bounds,
    const uint32_t[::1] frequencies, const uint32_t[::1] offsets, const double[::1] logs, const uint32_t[::1] pool,
    const uint32_t[::1] marks, const uint64_t[::1] signatures, const uint32_t[::1] starts, const uint32_t[::1] terms
):
    cdef Asked asked
    cdef uint32_t[TOPICRAWL_TITLES] kept
    cdef uint32_t[TOPICRAWL_TITLES] places
    cdef uint32_t[TOPICRAWL_TITLES] own
    cdef uint32_t[TOPICRAWL_TITLES] begins
    cdef uint32_t[TOPICRAWL_BITS + 1] classes
    cdef double[TOPICRAWL_CLASSES] needs
    cdef double[TOPICRAWL_TITLES] needed
    cdef Py_ssize_t several = len(numbers), probe, at, first, last, size, left, carrying, number = 0, room = 64
    cdef double rest = 0, enough, norm, near
    cdef uint32_t place, mask
    cdef Near* found = NULL
    cdef Near* grown
    if bounds.shape[0] != TOPICRAWL_CLASSES:
        raise ValueError("another number of classes")
    for at_term in numbers:
        if not 0 <= at_term < frequencies.shape[0]:
            raise IndexError("a term that is not there")
    if not several:
        return []
    cdef double* columns = <double*> malloc(several * (3 * sizeof(double) + 2 * sizeof(uint32_t)))
    try:
        found = <Near*> malloc(room * sizeof(Near))
        if columns == NULL or found == NULL:
            raise MemoryError
        asked.weights, asked.squares, asked.sorted = columns, columns + several, columns + 2 * several
        asked.terms = <uint32_t*> (columns + 3 * several)
        asked.others = asked.terms + several
        weigh(numbers, logs, unknown, &asked)
        by_low_bits(&asked)
        for at in range(asked.number):
            rest += asked.squares[at]
        norm = fsum([asked.squares[at] for at in range(asked.number)] + strange)
        enough = cosine * cosine * (1 - 1e-9) * norm
        for at in range(TOPICRAWL_CLASSES):
            needs[at] = max(enough, sqrt(enough * bounds[at])) * (1 - 1e-9)
        for probe in range(asked.number):
            if rest < enough:
                break
            rest -= asked.squares[probe]
            mask = classes_below(&asked, probe, needs, classes)
            first = offsets[asked.terms[probe]]
            last = first + frequencies[asked.terms[probe]]
            size = 0
            while first < last or size:
                left = min(last - first, TOPICRAWL_TITLES - size)
                if left > 0:
                    at = left
                    left = topicrawl_sharing(&marks[first], left, mask, classes, kept)
                    if left:
                        size += topicrawl_carrying(
                            &pool[first], &marks[first], kept, left, &signatures[0], asked.terms + probe, asked.squares + probe,
                            asked.number - probe, needs, places + size, own + size
                        )
                    first += at
                    if first < last and size < TOPICRAWL_TITLES // 2:
                        continue
                left = topicrawl_signed(
                    places, own, size, &signatures[0], asked.terms + probe, asked.squares + probe, asked.number - probe, needs, needed
                )
                for at in range(left):
                    TOPICRAWL_PREFETCH(&starts[places[at]])
                for at in range(left):
                    begins[at] = starts[places[at]]
                    TOPICRAWL_PREFETCH(&terms[begins[at]])
                if number + left > room:
                    room = 2 * (number + left)
                    grown = <Near*> realloc(found, room * sizeof(Near))
                    if grown == NULL:
                        raise MemoryError
                    found = grown
                carrying = 0
                for at in range(left):
                    places[carrying], begins[carrying] = places[at], begins[at]
                    size = starts[places[at] + 1] - begins[at]
                    carrying += carries(&terms[begins[at]], size, &asked, &logs[0], needed[at])
                for at in range(carrying):
                    place, size = places[at], starts[places[at] + 1] - begins[at]
                    near = cosine_of(&terms[begins[at]], size, signatures[place], &asked, &logs[0], unknown, norm)
                    found[number].cosine, found[number].place = near, place
                    number += near >= cosine
                size = 0
        return in_order(found, number)
    finally:
        free(columns)
        free(found)
