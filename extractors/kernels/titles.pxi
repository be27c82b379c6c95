"""Search in the title index; see the functions of the same names in `extractors.titles.title_search`."""


cdef struct Near:
    double cosine
    uint32_t place


cdef int by_cosine(const void* one, const void* other) noexcept nogil:
    """The nearest first, the earliest of equals first."""
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


cdef enum:
    # maximum titles of a list that is not divided by a window
    UNDIVIDED = 64


cdef struct Window:
    # see `extractors.titles.days`
    int64_t day, width
    const int32_t* days
    const uint32_t* ranges
    Py_ssize_t bounds


cdef Py_ssize_t place_in(const uint32_t* pool, Py_ssize_t first, Py_ssize_t last, uint32_t position) noexcept:
    """The place of the first title at or after this position in a part of a list, its end if there is none."""
    cdef Py_ssize_t middle
    while first < last:
        middle = (first + last) // 2
        if pool[middle] < position:
            first = middle + 1
        else:
            last = middle
    return first


cdef class Search:
    """Places that a probe has kept, and the near titles. The second of two cosines and of two rows of needs are for titles outside
    the window."""

    cdef Asked asked
    cdef Titles titles
    cdef Window window
    cdef uint32_t mask
    cdef double unknown, norm
    cdef double[2] cosines, enough
    cdef double[2 * TOPICRAWL_CLASSES] needs
    cdef uint32_t[TOPICRAWL_TITLES + TOPICRAWL_EIGHT] kept
    cdef uint32_t[TOPICRAWL_TITLES] places, own, begins
    cdef double[TOPICRAWL_TITLES] needed, masses
    cdef uint8_t[TOPICRAWL_TITLES] far
    cdef uint32_t[2 * (TOPICRAWL_BITS + 1)] classes
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

    cdef void look(self, Py_ssize_t begin, Py_ssize_t first, Py_ssize_t last, double rest) except *:
        """Probe the parts of a list that may be inside the window, and the parts between if the remaining mass is enough for them."""
        cdef Py_ssize_t at, end
        cdef bint outside = True
        for at in range(2 if self.window.day else 1):
            self.mask = classes_below(
                &self.asked, begin, &self.needs[at * TOPICRAWL_CLASSES], &self.classes[at * (TOPICRAWL_BITS + 1)]
            )
        if not self.window.day or last - first < UNDIVIDED:
            self.probe(begin, first, last, False)
            return
        for at in range(self.window.bounds + 1):
            end = last if at == self.window.bounds else place_in(self.titles.pool, first, last, self.window.ranges[at])
            if end > first and (not outside or rest >= self.enough[1]):
                self.probe(begin, first, end, outside)
            first, outside = end, not outside

    cdef void probe(self, Py_ssize_t begin, Py_ssize_t first, Py_ssize_t last, bint outside) except *:
        """Scan a part of the list of a query term, after the earlier terms. Its titles are all outside the window, or in any
        position."""
        cdef const uint32_t* classes = &self.classes[outside * (TOPICRAWL_BITS + 1)]
        cdef Py_ssize_t read, left, size = 0, several = self.asked.number - begin
        while first < last:
            read = min(last - first, TOPICRAWL_TITLES - size)
            left = topicrawl_sharing(&self.titles.marks[first], read, self.mask, classes, self.kept)
            if left:
                size += self.carrying(begin, first, left, size, outside)
            first += read
            if first >= last or size >= TOPICRAWL_TITLES // 2:
                left = topicrawl_signed(
                    self.places, self.own, self.far, size, self.titles.signatures, self.asked.terms + begin,
                    self.asked.squares + begin, several, self.needs, self.needed
                )
                self.compare(left)
                size = 0

    cdef Py_ssize_t carrying(self, Py_ssize_t begin, Py_ssize_t first, Py_ssize_t number, Py_ssize_t size, bint outside) noexcept:
        """Append the kept titles that may be near by marks and days after `size` places, and prefetch their signatures; returns their
        number."""
        cdef Py_ssize_t at, left = topicrawl_carrying(
            &self.titles.pool[first], &self.titles.marks[first], self.kept, number, self.asked.terms + begin,
            self.asked.squares + begin, self.asked.number - begin, &self.needs[outside * TOPICRAWL_CLASSES],
            self.places + size, self.own + size, self.masses
        )
        if self.window.day and not outside:
            left = topicrawl_inside(
                self.places + size, self.own + size, self.masses, left, self.window.days, self.window.day, self.window.width,
                &self.needs[TOPICRAWL_CLASSES], self.far + size
            )
        else:
            memset(self.far + size, outside, left)
        for at in range(size, size + left):
            TOPICRAWL_PREFETCH(&self.titles.signatures[self.places[at]])
        return left

    cdef void compare(self, Py_ssize_t several) except *:
        """Keep the titles, among the first `size` places, whose cosine is high enough."""
        cdef Py_ssize_t at, size, left = 0
        cdef uint32_t place
        self.make_room(several)
        for at in range(several):
            TOPICRAWL_PREFETCH(&self.titles.starts[self.places[at]])
        for at in range(several):
            self.begins[at] = self.titles.starts[self.places[at]]
            TOPICRAWL_PREFETCH(&self.titles.terms[self.begins[at]])
        for at in range(several):
            self.places[left], self.begins[left], self.far[left] = self.places[at], self.begins[at], self.far[at]
            size = self.titles.starts[self.places[at] + 1] - self.begins[at]
            left += carries(&self.titles.terms[self.begins[at]], size, &self.asked, self.titles.logs, self.needed[at])
        for at in range(left):
            place, size = self.places[at], self.titles.starts[self.places[at] + 1] - self.begins[at]
            self.near[self.number].place = place
            self.near[self.number].cosine = cosine_of(
                &self.titles.terms[self.begins[at]], size, self.titles.signatures[place], &self.asked, self.titles.logs,
                self.unknown, self.norm
            )
            self.number += self.near[self.number].cosine >= self.cosines[self.far[at]]

    cdef void make_room(self, Py_ssize_t several) except *:
        """Reserve memory for more near titles."""
        cdef Near* grown
        if self.number + several > self.room:
            grown = <Near*> realloc(self.near, 2 * (self.number + several) * sizeof(Near))
            if grown == NULL:
                raise MemoryError
            self.near, self.room = grown, 2 * (self.number + several)

    cdef tuple in_order(self):
        """The cosines and places of the distinct near titles."""
        cdef Py_ssize_t at
        cdef list cosines = [], places = []
        qsort(self.near, self.number, sizeof(Near), by_cosine)
        for at in range(self.number):
            if not at or self.near[at].place != self.near[at - 1].place:
                cosines.append(self.near[at].cosine)
                places.append(self.near[at].place)
        return cosines, places


def near_titles(
    list numbers, double cosine, double unknown, list strange, double outside, int64_t day, int64_t width, const int32_t[::1] days,
    const uint32_t[::1] ranges, const double[::1] bounds, const uint32_t[::1] frequencies, const uint32_t[::1] offsets,
    const double[::1] logs, const uint32_t[::1] pool, const uint32_t[::1] marks, const uint64_t[::1] signatures,
    const uint32_t[::1] starts, const uint32_t[::1] terms
):
    cdef Search search
    cdef Py_ssize_t at, first, kind
    cdef double rest = 0
    cdef uint32_t term
    if bounds.shape[0] != TOPICRAWL_CLASSES:
        raise ValueError("another number of classes")
    for number in numbers:
        if not 0 <= number < frequencies.shape[0]:
            raise IndexError("a term that is not there")
    if not numbers:
        return [], []
    search = Search(len(numbers))
    search.titles = Titles(&logs[0], &pool[0], &marks[0], &signatures[0], &starts[0], &terms[0])
    search.window = Window(day, width, &days[0], &ranges[0], ranges.shape[0])
    weigh(numbers, logs, unknown, &search.asked)
    by_low_bits(&search.asked)
    for at in range(search.asked.number):
        rest += search.asked.squares[at]
    search.cosines, search.unknown = [cosine, outside], unknown
    search.norm = fsum([search.asked.squares[at] for at in range(search.asked.number)] + strange)
    for kind in range(2):
        search.enough[kind] = search.cosines[kind] * search.cosines[kind] * (1 - 1e-9) * search.norm
        for at in range(TOPICRAWL_CLASSES):
            search.needs[kind * TOPICRAWL_CLASSES + at] = max(
                search.enough[kind], sqrt(search.enough[kind] * bounds[at])
            ) * (1 - 1e-9)
    for at in range(search.asked.number):
        if rest < search.enough[0]:
            break
        term = search.asked.terms[at]
        first = offsets[term]
        search.look(at, first, first + frequencies[term], rest)
        rest -= search.asked.squares[at]
    return search.in_order()
