"""Search in the index of titles; see the functions of the same names in `extractors.titles.search` and `cosines`."""


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


cdef struct Titles:
    # the arrays of `TitleStore`
    const double* logs
    const uint32_t* pool
    const uint32_t* marks
    const uint64_t* signatures
    const uint32_t* starts
    const uint32_t* terms


cdef class Search:
    """Places that a probe has left, and the titles that are near."""

    cdef Asked asked
    cdef Titles titles
    cdef double cosine, unknown, norm
    cdef double[TOPICRAWL_CLASSES] needs
    cdef uint32_t[TOPICRAWL_TITLES] kept, places, own, begins
    cdef double[TOPICRAWL_TITLES] needed
    cdef uint32_t[TOPICRAWL_BITS + 1] classes
    cdef Near* near
    cdef Py_ssize_t number, room
    cdef double* columns

    def __cinit__(self, Py_ssize_t several):
        self.columns = <double*> malloc(several * (3 * sizeof(double) + 2 * sizeof(uint32_t)))
        if self.columns == NULL:
            raise MemoryError
        self.asked.weights, self.asked.squares = self.columns, self.columns + several
        self.asked.sorted = self.columns + 2 * several
        self.asked.terms = <uint32_t*> (self.columns + 3 * several)
        self.asked.others = self.asked.terms + several

    def __dealloc__(self):
        free(self.columns)
        free(self.near)

    cdef void probe(self, Py_ssize_t begin, Py_ssize_t first, Py_ssize_t last) except *:
        """Looks at the list of one of the asked terms; those before it have been looked at."""
        cdef uint32_t mask = classes_below(&self.asked, begin, self.needs, self.classes)
        cdef Py_ssize_t read, left, size = 0, several = self.asked.number - begin
        while first < last:
            read = min(last - first, TOPICRAWL_TITLES - size)
            left = topicrawl_sharing(&self.titles.marks[first], read, mask, self.classes, self.kept)
            if left:
                size += topicrawl_carrying(
                    &self.titles.pool[first], &self.titles.marks[first], self.kept, left, self.titles.signatures,
                    self.asked.terms + begin, self.asked.squares + begin, several, self.needs, self.places + size, self.own + size
                )
            first += read
            if first >= last or size >= TOPICRAWL_TITLES // 2:
                left = topicrawl_signed(
                    self.places, self.own, size, self.titles.signatures, self.asked.terms + begin, self.asked.squares + begin,
                    several, self.needs, self.needed
                )
                self.compare(left)
                size = 0

    cdef void compare(self, Py_ssize_t several) except *:
        """Keeps the titles at so many places whose cosine is high enough."""
        cdef Py_ssize_t at, size, left = 0
        cdef uint32_t place
        self.make_room(several)
        for at in range(several):
            TOPICRAWL_PREFETCH(&self.titles.starts[self.places[at]])
        for at in range(several):
            self.begins[at] = self.titles.starts[self.places[at]]
            TOPICRAWL_PREFETCH(&self.titles.terms[self.begins[at]])
        for at in range(several):
            self.places[left], self.begins[left] = self.places[at], self.begins[at]
            size = self.titles.starts[self.places[at] + 1] - self.begins[at]
            left += carries(&self.titles.terms[self.begins[at]], size, &self.asked, self.titles.logs, self.needed[at])
        for at in range(left):
            place, size = self.places[at], self.titles.starts[self.places[at] + 1] - self.begins[at]
            self.near[self.number].place = place
            self.near[self.number].cosine = cosine_of(
                &self.titles.terms[self.begins[at]], size, self.titles.signatures[place], &self.asked, self.titles.logs,
                self.unknown, self.norm
            )
            self.number += self.near[self.number].cosine >= self.cosine

    cdef void make_room(self, Py_ssize_t several) except *:
        """For so many more near titles."""
        cdef Near* grown
        if self.number + several > self.room:
            grown = <Near*> realloc(self.near, 2 * (self.number + several) * sizeof(Near))
            if grown == NULL:
                raise MemoryError
            self.near, self.room = grown, 2 * (self.number + several)

    cdef list in_order(self):
        """The near titles as cosines and places, each once."""
        cdef Py_ssize_t at
        cdef list found = []
        qsort(self.near, self.number, sizeof(Near), by_cosine)
        for at in range(self.number):
            if not at or self.near[at].place != self.near[at - 1].place:
                found.append((self.near[at].cosine, self.near[at].place))
        return found


def near_titles(
    list numbers, double cosine, double unknown, list strange, const double[::1] bounds,
    const uint32_t[::1] frequencies, const uint32_t[::1] offsets, const double[::1] logs, const uint32_t[::1] pool,
    const uint32_t[::1] marks, const uint64_t[::1] signatures, const uint32_t[::1] starts, const uint32_t[::1] terms
):
    cdef Search search
    cdef Py_ssize_t at, first
    cdef double rest = 0, enough
    cdef uint32_t term
    if bounds.shape[0] != TOPICRAWL_CLASSES:
        raise ValueError("another number of classes")
    for number in numbers:
        if not 0 <= number < frequencies.shape[0]:
            raise IndexError("a term that is not there")
    if not numbers:
        return []
    search = Search(len(numbers))
    search.titles = Titles(&logs[0], &pool[0], &marks[0], &signatures[0], &starts[0], &terms[0])
    weigh(numbers, logs, unknown, &search.asked)
    by_low_bits(&search.asked)
    for at in range(search.asked.number):
        rest += search.asked.squares[at]
    search.cosine, search.unknown = cosine, unknown
    search.norm = fsum([search.asked.squares[at] for at in range(search.asked.number)] + strange)
    enough = cosine * cosine * (1 - 1e-9) * search.norm
    for at in range(TOPICRAWL_CLASSES):
        search.needs[at] = max(enough, sqrt(enough * bounds[at])) * (1 - 1e-9)
    for at in range(search.asked.number):
        if rest < enough:
            break
        rest -= search.asked.squares[at]
        term = search.asked.terms[at]
        first = offsets[term]
        search.probe(at, first, first + frequencies[term])
    return search.in_order()
