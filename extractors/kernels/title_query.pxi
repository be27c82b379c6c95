"""A searched title, and its cosine with a stored one; see `extractors.titles.cosines`."""


cdef struct Asked:
    # distinct known terms of a title from rare to common; their weights and squares; a buffer for as many squares
    Py_ssize_t number
    uint32_t* terms
    double* weights
    double* squares
    double* sorted
    # by the lowest six bits of a term: a query term, from 1, and for each query term the next one with the same bits
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
    """For each number of bits that a title's mark may share with the terms starting at `begin`: the number of lowest classes that
    the title may have. Returns the bits."""
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
    """Index the query terms by their lowest six bits."""
    cdef Py_ssize_t at
    memset(asked.slots, 0, sizeof(asked.slots))
    for at in range(asked.number):
        asked.others[at] = asked.slots[asked.terms[at] & 63]
        asked.slots[asked.terms[at] & 63] = <uint32_t> at + 1


cdef inline uint32_t place_of(const Asked* asked, uint32_t term) noexcept:
    """The number of a query term, from 1; 0 for other terms."""
    cdef uint32_t at = asked.slots[term & 63]
    while at and asked.terms[at - 1] != term:
        at = asked.others[at - 1]
    return at


cdef bint carries(const uint32_t* own, Py_ssize_t number, const Asked* asked, const double* logs, double needed) noexcept:
    """Whether the shared terms of a title carry the needed mass. If so, prefetches the logarithms of all its terms, which are scattered
    in memory."""
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
    """The cosine with a title. Sums are in the order of its terms."""
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
