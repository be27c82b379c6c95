"""Joins texts of a page; see `extractors.html.joining`."""


def join(list texts, const int64_t[::1] chunks, const unsigned char[::1] between):
    """These texts joined, white space collapsed, with separators by `between`, uint8[M], before all but the first:
    nothing, a space, a line or a cell."""
    cdef list parts = []
    cdef tuple signs = ("", " ", "\n", "\t")
    cdef Py_ssize_t place
    cdef int64_t chunk
    for place in range(chunks.shape[0]):
        chunk = chunks[place]
        if not 0 <= chunk < len(texts) or chunk >= between.shape[0] or between[chunk] > 3:
            raise IndexError("no such text")
        if place and between[chunk]:
            parts.append(signs[between[chunk]])
        parts.append(folded(texts[chunk]))
    return "".join(parts)


def join_range(list texts, Py_ssize_t first, Py_ssize_t last, const unsigned char[::1] between):
    """The texts first … last − 1 joined; see `join`."""
    cdef list parts = []
    cdef tuple signs = ("", " ", "\n", "\t")
    cdef Py_ssize_t chunk
    if first < 0 or last > len(texts) or last > between.shape[0]:
        raise IndexError("no such text")
    for chunk in range(first, last):
        if between[chunk] > 3:
            raise IndexError("no such text")
        if chunk > first and between[chunk]:
            parts.append(signs[between[chunk]])
        parts.append(folded(texts[chunk]))
    return parts[0] if len(parts) == 1 else "".join(parts)


def texts_beginning(list texts, str wanted):
    """The numbers of the texts that begin, after white space, with this one."""
    cdef list found = []
    cdef Py_ssize_t number, place, begin, length, size = len(wanted)
    cdef int kind
    cdef const void* data
    cdef Py_UCS4 first = wanted[0] if size else 0
    cdef str text
    for number in range(len(texts)):
        text = texts[number]
        kind, data, length, begin = PyUnicode_KIND(text), PyUnicode_DATA(text), len(text), 0
        while begin < length and (<Py_UCS4> PyUnicode_READ(kind, data, begin)).isspace():
            begin += 1
        if length - begin >= size and (size == 0 or PyUnicode_READ(kind, data, begin) == first):
            if text.startswith(wanted, begin):
                found.append(number)
    return found


cdef str folded(str text):
    """The text without white space at its ends, and with single spaces inside."""
    cdef Py_ssize_t begin = 0, end = len(text), place
    cdef bint spaced = False
    cdef int kind = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    cdef Py_UCS4 character
    while begin < end and (<Py_UCS4> PyUnicode_READ(kind, data, begin)).isspace():
        begin += 1
    while end > begin and (<Py_UCS4> PyUnicode_READ(kind, data, end - 1)).isspace():
        end -= 1
    for place in range(begin, end):
        character = PyUnicode_READ(kind, data, place)
        if character > 32 and character < 128:
            spaced = False
        elif character.isspace():
            if spaced or character != c" ":
                return " ".join(text.split())
            spaced = True
        else:
            spaced = False
    return text[begin:end]


cdef inline uint64_t key_of(int32_t node, uint32_t code) noexcept:
    return (<uint64_t> node << 21 | code) + 1


cdef class PrefixSet:
    """The possible prefixes of matches, see `extractors.text.regex_prefixes`, as a tree of characters."""

    cdef object _keys, _nodes, _ends
    cdef uint64_t[::1] _key  # a node and the next character; 0 for empty slots
    cdef int32_t[::1] _node  # the next node
    cdef unsigned char[::1] _end  # by node: whether a prefix ends there
    cdef unsigned char[128] _first  # by ASCII character: whether a prefix begins with it
    cdef unsigned char[2048] _pair  # bits by two characters: whether a prefix begins with them
    cdef unsigned char[256] _other  # by other character modulo 256: whether a prefix begins with one
    cdef size_t _mask

    def __init__(self, heads):
        cdef size_t room = 16
        cdef Py_ssize_t most = 1 + sum(map(len, heads))
        while room < 4 * <size_t> most:
            room *= 2
        self._keys, self._nodes = np.zeros(room, np.uint64), np.zeros(room, np.int32)
        self._ends = np.zeros(most, np.uint8)
        self._key, self._node, self._end, self._mask = self._keys, self._nodes, self._ends, room - 1
        cdef int32_t number = 0, node
        cdef size_t slot
        cdef str head
        cdef Py_UCS4 character
        for head in heads:
            node = 0
            for character in head:
                slot = self._slot(node, <uint32_t> character)
                if not self._key[slot]:
                    number += 1
                    self._key[slot], self._node[slot] = key_of(node, <uint32_t> character), number
                node = self._node[slot]
            self._end[node] = True
        self._look_ahead(heads)

    cdef int _look_ahead(self, heads) except -1:
        """Record the first characters of a prefix."""
        cdef Py_ssize_t one, other
        cdef size_t slot
        cdef int32_t node
        cdef str head
        memset(self._pair, 0, 2048)
        memset(self._other, self._end[0], 256)
        for one in range(128):
            slot = self._slot(0, folded_code(one))
            self._first[one] = self._end[0] or self._key[slot] != 0
            for other in range(128 if self._first[one] else 0):
                node = self._node[slot]
                if self._end[0] or self._end[node] or self._key[self._slot(node, folded_code(other))]:
                    self._pair[one << 4 | other >> 3] |= 1 << (other & 7)
        for head in heads:
            if head and ord(head[0]) > 127:
                self._other[ord(head[0]) & 255] = True
        return 0

    cdef inline size_t _slot(self, int32_t node, uint32_t code) noexcept:
        cdef uint64_t key = key_of(node, code)
        cdef size_t slot = <size_t> (key * <uint64_t> 0x9E3779B97F4A7C15 >> 32) & self._mask
        while self._key[slot] and self._key[slot] != key:
            slot = (slot + 1) & self._mask
        return slot

    def places(self, list texts):
        """The numbers of the texts that begin, in lower case, with one of the prefixes."""
        return [place for place, text in enumerate(texts) if self._begins(text, 0)]

    cdef Py_ssize_t _first_within(self, str text) except -2:
        cdef int kind = PyUnicode_KIND(text)
        cdef const void* data = PyUnicode_DATA(text)
        cdef Py_ssize_t place, length = len(text)
        cdef Py_UCS4 character, following = PyUnicode_READ(kind, data, 0) if length else 0
        for place in range(length):
            character = following
            following = PyUnicode_READ(kind, data, place + 1) if place + 1 < length else 128
            if character < 128:
                if not self._first[<int> character]:
                    continue
                if following < 128 and not self._pair[<int> character << 4 | <int> following >> 3] >> (<int> following & 7) & 1:
                    continue
            elif character < 65536 and _IS_PLAIN[character] and not self._other[<int> character & 255]:
                continue
            if self._begins(text, place):
                return place
        return -1

    cdef bint _begins(self, str text, Py_ssize_t place):
        cdef int32_t node = 0
        cdef int kind = PyUnicode_KIND(text)
        cdef const void* data = PyUnicode_DATA(text)
        cdef size_t slot
        cdef Py_UCS4 character
        for place in range(place, len(text)):
            if self._end[node]:
                return True
            character = PyUnicode_READ(kind, data, place)
            if character > 127 and becomes_another(character):
                return True  # may fold into several characters
            slot = self._slot(node, folded_code(<uint32_t> character))
            if not self._key[slot]:
                return False
            node = self._node[slot]
        return self._end[node]


cdef enum:
    PREFIX_CHARS = 5
    MAX_PREFIXES = 5_000

cdef dict _PREFIXES = {}  # by a pattern's identity, since its hash is recomputed on each look-up


cdef PrefixSet prefixes_of(pattern):
    """The possible prefixes of matches, None for any; cached by pattern."""
    known = _PREFIXES.get(id(pattern))
    if known is None:
        found = {""} if pattern.flags & re.IGNORECASE else {
            prefix.lower() for prefix in possible_prefixes(pattern.pattern, PREFIX_CHARS)
        }
        usable = "" not in found and len(found) < MAX_PREFIXES
        known = _PREFIXES[id(pattern)] = pattern, PrefixSet(sorted(found)) if usable else None
    return known[1]


def contains_match(words, texts, sign=None):
    cdef PrefixSet prefixes = prefixes_of(words if sign is None else sign)
    cdef Py_ssize_t number, place
    if prefixes is None:
        return kernels.forms["contains_match"].numpy(words, texts)
    found = np.zeros(len(texts), np.bool_)
    cdef unsigned char[::1] marks = found.view(np.uint8)
    search = words.search
    for number, text in enumerate(texts):
        place = prefixes._first_within(text)
        if place >= 0:
            marks[number] = search(text, place if sign is None else 0) is not None
    return found


def starts_with_match(words, texts, Py_ssize_t most_chars=0x7fffffffffffffff):
    cdef PrefixSet prefixes = prefixes_of(words)
    cdef Py_ssize_t number
    found = np.zeros(len(texts), np.bool_)
    cdef unsigned char[::1] marks = found.view(np.uint8)
    match = words.match
    for number, text in enumerate(texts):
        if len(text) <= most_chars and (prefixes is None or prefixes._begins(text, 0)):
            marks[number] = match(text) is not None
    return found


def matching_groups(words, texts):
    cdef PrefixSet prefixes = prefixes_of(words)
    cdef Py_ssize_t number
    found = np.zeros(len(texts), np.int8)
    cdef int8_t[::1] groups = found
    match = words.match
    for number, text in enumerate(texts):
        if prefixes is None or prefixes._begins(text, 0):
            matched = match(in_small_letters(text))
            if matched is not None:
                groups[number] = matched.lastindex or 0
    return found


cdef inline bint becomes_another(Py_UCS4 character) noexcept:
    return character.lower() != character and not character.isdecimal() and not character.isspace()


# whether a character of the basic plane is its own token
cdef unsigned char[65536] _IS_PLAIN
cdef Py_UCS4 _character
for _place in range(65536):
    _character = <Py_UCS4> <uint32_t> _place
    _IS_PLAIN[_place] = not becomes_another(_character) and folded_code(_place) == <uint32_t> _place


cdef inline uint32_t folded_code(uint32_t code) noexcept:
    """The token of a character: a lower-case letter, 0 for any digit, a space for any white space."""
    cdef Py_UCS4 character = <Py_UCS4> code
    if c"a" <= character <= c"z":
        return code
    if c"A" <= character <= c"Z":
        return code | 32
    return c"0" if character.isdecimal() else c" " if character.isspace() else code


def join_each(
    list texts, const int64_t[::1] chunks, const int64_t[::1] first, const int64_t[::1] last, const unsigned char[::1] between
):
    """The texts chunks[first … last − 1] joined, for each first and last; see `join`."""
    cdef list found = [], parts
    cdef tuple signs = ("", " ", "\n", "\t")
    cdef Py_ssize_t number, place
    cdef int64_t chunk
    for number in range(first.shape[0]):
        parts = []
        for place in range(first[number], last[number]):
            chunk = chunks[place]
            if not 0 <= chunk < len(texts) or chunk >= between.shape[0] or between[chunk] > 3:
                raise IndexError("no such text")
            if parts and between[chunk]:
                parts.append(signs[between[chunk]])
            parts.append(folded(texts[chunk]))
        found.append("".join(parts) if len(parts) != 1 else parts[0])
    return found
