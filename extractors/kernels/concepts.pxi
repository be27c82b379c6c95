"""Words of a topic in a text; see `extractors.topic.concepts`.

The words are in chains by their first three characters. At each place of the text the longest word counts, and the search
continues after it. A bit table, small enough for the processor's cache, has a bit for each prefix of one, two and three
characters: it excludes most places, so that thousands of words cost little more than twenty.
"""

cdef enum:
    _BEGINNINGS = 1 << 17
    _UPPER = 32 - 17 + 3

    _ANY = 1


cdef inline uint32_t _mixed(uint32_t first, uint32_t second, uint32_t third) noexcept:
    """The key of a word's first characters; 0 for missing ones, `_ANY` for any character."""
    cdef uint32_t mixed = first * 0x9E3779B1u + second * 0x85EBCA77u + third * 0xC2B2AE3Du
    return mixed ^ mixed >> 15


cdef class WordSearch:
    cdef const uint32_t[::1] _codes
    cdef const int64_t[::1] _ends
    cdef const int64_t[::1] _concept
    cdef const uint8_t[:, ::1] _closed
    cdef const uint8_t[::1] _latin
    cdef int32_t[::1] _first
    cdef int32_t[::1] _next
    cdef uint32_t _mask
    cdef uint8_t[::1] _begun
    cdef bint _short

    def __init__(self, codes, ends, concept, closed, latin):
        cdef Py_ssize_t word, length, start = 0
        cdef uint32_t mixed, slot, second
        self._codes, self._ends, self._concept = codes, ends, concept
        self._closed, self._latin = closed.view(np.uint8), latin.view(np.uint8)
        size = 1024
        while size < 4 * len(ends):
            size *= 2
        self._mask = size - 1
        self._first, self._next = np.full(size, -1, np.int32), np.empty(len(ends), np.int32)
        self._begun = np.zeros(_BEGINNINGS // 8, np.uint8)
        self._short = False
        for word in range(len(ends)):
            length = self._ends[word] - start
            self._short |= length == 1
            second = self._codes[start + 1] if length > 1 else 0
            mixed = _mixed(self._codes[start], second, self._codes[start + 2] if length > 2 else 0)
            slot = mixed & self._mask
            self._begin(mixed)
            self._begin(_mixed(self._codes[start], second, _ANY))
            self._next[word], self._first[slot] = self._first[slot], <int32_t> word
            start = self._ends[word]

    cdef inline void _begin(self, uint32_t mixed) noexcept:
        self._begun[mixed >> _UPPER] |= 1 << (mixed >> _UPPER - 3 & 7)

    cdef inline bint _begins(self, uint32_t mixed) noexcept:
        return self._begun[mixed >> _UPPER] >> (mixed >> _UPPER - 3 & 7) & 1

    cdef inline int32_t _longest(self, const uint32_t* text, Py_ssize_t left) noexcept:
        """The longest word with which the text begins; -1 for none."""
        cdef int32_t word = -1
        if left > 1 and self._begins(_mixed(text[0], text[1], _ANY)):
            if left > 2:
                word = self._of_chain(text, left, _mixed(text[0], text[1], text[2]))
            if word < 0:
                word = self._of_chain(text, left, _mixed(text[0], text[1], 0))
        if word < 0 and self._short:
            word = self._of_chain(text, left, _mixed(text[0], 0, 0))
        return word

    cdef inline int32_t _of_chain(self, const uint32_t* text, Py_ssize_t left, uint32_t mixed) noexcept:
        """The longest word of a chain with which the text begins; -1 for none."""
        return self._longest_of(text, left, self._first[mixed & self._mask]) if self._begins(mixed) else -1

    cdef int32_t _longest_of(self, const uint32_t* text, Py_ssize_t left, int32_t word) noexcept:
        cdef int32_t best = -1
        cdef Py_ssize_t start, length, longest = 0
        while word >= 0:
            start, length = self._ends[word - 1] if word else 0, self._length(word)
            if longest < length <= left and memcmp(text, &self._codes[start], length * sizeof(uint32_t)) == 0:
                best, longest = word, length
            word = self._next[word]
        return best

    cdef inline Py_ssize_t _length(self, int32_t word) noexcept:
        return self._ends[word] - (self._ends[word - 1] if word else 0)

    cdef inline bint _is_latin(self, uint32_t code) noexcept:
        return self._latin[min(<Py_ssize_t> code, self._latin.shape[0] - 1)]

    def find(self, const uint32_t[::1] text, const int64_t[::1] ends):
        cdef Py_ssize_t number = text.shape[0], place = 1, found = 0, part = 0, length
        cdef int32_t word
        parts, concepts = np.empty(max(0, number), np.int64), np.empty(max(0, number), np.int64)
        cdef int64_t[::1] to_parts = parts, to_concepts = concepts
        while place < number - 1:
            word = self._longest(&text[place], number - 1 - place)
            if word < 0:
                place += 1
                continue
            length = self._length(word)
            while part < ends.shape[0] and ends[part] <= place - 1:
                part += 1
            if not (
                (part < ends.shape[0] and ends[part] <= place + length - 2)
                or (self._closed[word, 0] and self._is_latin(text[place - 1]))
                or (self._closed[word, 1] and self._is_latin(text[place + length]))
            ):
                to_parts[found], to_concepts[found] = part, self._concept[word]
                found += 1
            place += length
        return parts[:found].copy(), concepts[:found].copy()
