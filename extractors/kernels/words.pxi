"""Words in names of classes and ids; see `extractors.article.class_words`.

A word is at most one capital and forty lower-case letters, or forty capitals. A table by the first three letters gives the
fragments that may begin at a place.
"""

cdef enum:
    LETTERS = 27  # none, a … z
    LONGEST_WORD = 41
    LONGEST_FRAGMENT = 24


cdef struct Fragment:
    int next  # the next fragment with the same first letters, −1 for none
    int bound  # anywhere in a word, at its beginning, or the whole word: 0, 1, 2
    int length
    int64_t bit
    unsigned char[LONGEST_FRAGMENT] letters


cdef class ClassWords:
    cdef int16_t[LETTERS * LETTERS * LETTERS] _first
    cdef uint32_t[LETTERS] _second  # by first letter of fragments, bits of their second letters
    cdef Fragment[512] _fragments

    def __init__(self, fragments):
        cdef Py_ssize_t number = 0, place
        cdef Fragment* found
        cdef bytes letters
        for place in range(LETTERS * LETTERS * LETTERS):
            self._first[place] = -1
        for place in range(LETTERS):
            self._second[place] = 0
        if len(fragments) > 512:
            raise ValueError("more fragments than there is room for")
        for bound, text, bit in fragments:
            letters = text.encode("ascii")
            if not letters or len(letters) > LONGEST_FRAGMENT or not (letters.isalpha() and letters.islower()):
                raise ValueError(f"{text!r} is not a fragment")
            found = &self._fragments[number]
            found.bound, found.length, found.bit = ("", "^", "=").index(bound), len(letters), bit
            for place in range(len(letters)):
                found.letters[place] = letters[place]
            self._second[found.letters[0] - 96] |= <uint32_t> 1 << (found.letters[1] - 96 if found.length > 1 else 0)
            place = key(&found.letters[0], min(3, found.length))
            found.next, self._first[place] = self._first[place], number
            number += 1

    def bits(self, pairs, Py_ssize_t longest_first, Py_ssize_t longest_second):
        if isinstance(pairs, Pairs):
            return self._bits_of_bytes(pairs, longest_first, longest_second)
        found = np.empty(len(pairs), np.int64)
        cdef int64_t[::1] bits = found
        cdef Py_ssize_t place
        cdef str first, second
        for place in range(len(pairs)):
            first, second = pairs[place]
            bits[place] = self._read_text(first, longest_first) | self._read_text(second, longest_second)
        return found

    cdef object _bits_of_bytes(self, Pairs pairs, Py_ssize_t longest_first, Py_ssize_t longest_second):
        found = np.empty(pairs.number, np.int64)
        cdef int64_t[::1] bits = found
        cdef const Pair* pair
        cdef Py_ssize_t place
        for place in range(pairs.number):
            pair = &pairs._pair[place]
            bits[place] = self._read_bytes(pair.first, pair.first_length, longest_first)
            bits[place] |= self._read_bytes(pair.second, pair.second_length, longest_second)
        return found

    cdef int64_t _read_text(self, str text, Py_ssize_t longest) except? -1:
        return self._read(PyUnicode_KIND(text), PyUnicode_DATA(text), min(len(text), longest))

    cdef int64_t _read_bytes(self, const char* text, Py_ssize_t length, Py_ssize_t longest) except? -1:
        cdef Py_ssize_t place, end = min(length, longest)
        for place in range(end):
            if <unsigned char> text[place] > 127:
                return self._read_text(PyUnicode_DecodeUTF8(text, length, NULL), longest)
        return self._read(1, text, end)

    cdef int64_t _read(self, int kind, const void* data, Py_ssize_t end) noexcept:
        """kind: bytes of a character."""
        cdef unsigned char[LONGEST_WORD] word
        cdef int64_t bits = 0
        cdef Py_ssize_t place = 0, length, end_of_word
        cdef uint32_t letter
        while place < end:
            length = 0
            letter = <uint32_t> PyUnicode_READ(kind, data, place)
            if c"A" <= letter <= c"Z":
                word[0] = <unsigned char> (letter | 32)
                length = 1
                place += 1
                letter = <uint32_t> PyUnicode_READ(kind, data, place) if place < end else 0
                if not c"a" <= letter <= c"z":
                    while c"A" <= letter <= c"Z" and length < 40:
                        word[length] = <unsigned char> (letter | 32)
                        length += 1
                        place += 1
                        letter = <uint32_t> PyUnicode_READ(kind, data, place) if place < end else 0
                    bits |= self._groups(&word[0], length)
                    continue
            elif not c"a" <= letter <= c"z":
                place += 1
                continue
            end_of_word = place + 40
            while c"a" <= letter <= c"z" and place < end_of_word:
                word[length] = <unsigned char> letter
                length += 1
                place += 1
                letter = <uint32_t> PyUnicode_READ(kind, data, place) if place < end else 0
            bits |= self._groups(&word[0], length)
        return bits

    cdef int64_t _groups(self, unsigned char* word, Py_ssize_t length) noexcept:
        cdef int64_t bits = 0
        cdef Py_ssize_t place = 0, last = max(1, length - 2)
        cdef int number
        cdef Fragment* fragment
        for place in range(last):
            if not self._second[word[place] - 96] >> (word[place + 1] - 96 if place + 1 < length else 0) & 1:
                continue
            number = self._first[key(word + place, min(3, length - place))]
            while number >= 0:
                fragment = &self._fragments[number]
                number = fragment.next
                if fragment.length > length - place or memcmp(word + place, &fragment.letters[0], fragment.length):
                    continue
                if fragment.bound == 0 or place == 0 and (fragment.bound == 1 or fragment.length == length):
                    bits |= fragment.bit
        return bits


cdef inline int key(const unsigned char* letters, Py_ssize_t length) noexcept:
    """A number for the first three letters, padded if fewer."""
    cdef int found = letters[0] - 96
    found = found * LETTERS + (letters[1] - 96 if length > 1 else 0)
    return found * LETTERS + (letters[2] - 96 if length > 2 else 0)
