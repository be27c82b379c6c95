"""Values of attributes, stored while the page is read; and their distinct pairs."""

cdef enum:
    DATA_NAME = -1  # an attribute name that begins with data- and ends with id; its value follows
    DATA_VALUE = 0
    LINKED_DATA = -2  # the content of a script of the type JSON-LD
    TAG_NAME = -3  # the name of a tag without a code
    SCRIPT = -4  # a script has content; no bytes

# random, so that a page cannot be crafted with colliding hashes
cdef uint64_t _HASHING = int.from_bytes(os.urandom(8), "little") | 1


cdef struct Value:
    # of an attribute: its element, its number in `_NOTED` (or see above), and where its bytes are
    int32_t place
    int32_t begin
    int32_t length
    int16_t name


cdef struct Notes:
    # of all elements in document order
    char* bytes
    Py_ssize_t used
    Py_ssize_t room
    Value* values
    Py_ssize_t number
    Py_ssize_t value_room


cdef void* more_of(void* begin, Py_ssize_t* room, Py_ssize_t wanted, size_t size) noexcept nogil:
    """Memory for at least `wanted` items, grown if needed; NULL, with nothing changed, without memory."""
    cdef void* found = begin
    cdef Py_ssize_t several
    if wanted > room[0]:
        several = 2 * wanted
        found = realloc(begin, several * size)
        if found is not NULL:
            room[0] = several
    return found


cdef int put_down(Notes* notes, Py_ssize_t place, int16_t name, const char* text, Py_ssize_t length) noexcept nogil:
    """Store a value; −1 without memory."""
    cdef void* bytes = NULL
    cdef void* values = NULL
    cdef Value* value
    if notes.used + length > 0x7FFFFFFF:
        return -1
    bytes = more_of(notes.bytes, &notes.room, notes.used + length + 1, 1)
    if bytes is NULL:
        return -1
    notes.bytes = <char*> bytes
    values = more_of(notes.values, &notes.value_room, notes.number + 1, sizeof(Value))
    if values is NULL:
        return -1
    notes.values = <Value*> values
    memcpy(notes.bytes + notes.used, text, length)
    value = &notes.values[notes.number]
    value.place, value.name = <int32_t> place, name
    value.begin, value.length = <int32_t> notes.used, <int32_t> length
    notes.used += length
    notes.number += 1
    return 0


cdef int go_on(Notes* notes, const char* text, Py_ssize_t length) noexcept nogil:
    """Append to the linked data stored last; −1 if another value was stored last, or without memory."""
    cdef void* bytes = NULL
    if notes.values[notes.number - 1].name == LINKED_DATA and notes.used + length <= 0x7FFFFFFF:
        bytes = more_of(notes.bytes, &notes.room, notes.used + length + 1, 1)
    if bytes is NULL:
        return -1
    notes.bytes = <char*> bytes
    memcpy(notes.bytes + notes.used, text, length)
    notes.values[notes.number - 1].length += <int32_t> length
    notes.used += length
    return 0


cdef str text_of(const Notes* notes, const Value* value):
    return PyUnicode_DecodeUTF8(notes.bytes + value.begin, value.length, NULL)


cdef inline bint is_data_id(const char* name) noexcept nogil:
    cdef size_t length
    if name[0] != c"d" or strncmp(name, b"data-", 5) != 0:
        return False
    length = strlen(name)
    return length > 6 and name[length - 2] == c"i" and name[length - 1] == c"d"


cdef Py_ssize_t first_value(const Notes* notes, Py_ssize_t place) noexcept nogil:
    """The number of the first value of this or a later element."""
    cdef Py_ssize_t low = 0, high = notes.number, middle
    while low < high:
        middle = (low + high) // 2
        if notes.values[middle].place < place:
            low = middle + 1
        else:
            high = middle
    return low


cdef bint has_note(const Notes* notes, Py_ssize_t place, int16_t name) noexcept nogil:
    """Whether the element has a note of this name; empty notes count only for scripts."""
    cdef Py_ssize_t number = first_value(notes, place)
    while number < notes.number and notes.values[number].place == place:
        if notes.values[number].name == name:
            return name == SCRIPT or notes.values[number].length > 0
        number += 1
    return False


cdef str noted_value(const Notes* notes, Py_ssize_t place, int16_t name):
    """The value of an element's attribute; "" where it is absent."""
    cdef Py_ssize_t number = first_value(notes, place)
    while number < notes.number and notes.values[number].place == place:
        if notes.values[number].name == name:
            return text_of(notes, &notes.values[number])
        number += 1
    return ""


cdef list noted_data_ids(const Notes* notes, Py_ssize_t place):
    """Names and values of an element's attributes whose names begin with data- and end with id."""
    cdef list found = []
    cdef Py_ssize_t number = first_value(notes, place)
    while number < notes.number and notes.values[number].place == place:
        if notes.values[number].name == DATA_NAME:
            found.append((text_of(notes, &notes.values[number]), text_of(notes, &notes.values[number + 1])))
        number += 1
    return found


cdef list noted_dicts(const Notes* notes, names):
    """By place, the values of each of these attributes."""
    cdef list found = [{} for _ in names]
    cdef int16_t[64] wanted
    cdef Py_ssize_t number
    cdef Value* value
    if len(_NOTED) > 63:
        raise ValueError("more names than there is room for")
    for number in range(64):
        wanted[number] = -1
    for number, name in enumerate(names):
        wanted[_NOTED[name.encode()]] = <int16_t> number
    for number in range(notes.number):
        value = &notes.values[number]
        if value.name > 0 and wanted[value.name] >= 0:
            (<dict> found[wanted[value.name]])[value.place] = text_of(notes, value)
    return found


cdef struct Pair:
    const char* first
    const char* second
    Py_ssize_t first_length
    Py_ssize_t second_length


cdef class Pairs:
    """Distinct pairs of values with numbers from 0, compared by their bytes; texts are made on first use."""

    cdef object _owner  # of the bytes
    cdef object _slots, _pairs
    cdef list _texts
    cdef readonly Py_ssize_t number
    cdef int32_t[::1] _slot  # numbers by hash, −1 for empty slots
    cdef Pair* _pair
    cdef size_t _mask
    cdef int64_t _none  # the number for elements with neither attribute

    def __init__(self, Py_ssize_t most, owner):
        cdef size_t room = 16
        while room < 2 * <size_t> most:
            room *= 2
        self._owner, self.number, self._none = owner, 0, -1
        self._slots, self._pairs = np.full(room, -1, np.int32), np.empty((most + 1) * sizeof(Pair), np.uint8)
        self._slot, self._mask = self._slots, room - 1
        cdef unsigned char[::1] pairs = self._pairs
        self._pair = <Pair*> &pairs[0]

    def __len__(self):
        return self.number

    def __getitem__(self, place):
        return self.texts()[place]

    def __iter__(self):
        return iter(self.texts())

    def __eq__(self, other):
        return self.texts() == list(other)

    def texts(self):
        """Both texts of each pair."""
        cdef Py_ssize_t place
        cdef const Pair* pair
        if self._texts is None:
            self._texts = []
            for place in range(self.number):
                pair = &self._pair[place]
                self._texts.append((
                    PyUnicode_DecodeUTF8(pair.first, pair.first_length, NULL),
                    PyUnicode_DecodeUTF8(pair.second, pair.second_length, NULL),
                ))
        return self._texts

    cdef object first_words(self):
        """int64[D]: a number, from 1, for the first word of the first text of each pair."""
        cdef Pairs words = Pairs(self.number, self)
        cdef Pair word
        cdef const char* end
        cdef Py_ssize_t place
        found = np.empty(self.number, np.int64)
        cdef int64_t[::1] which = found
        word.second, word.second_length = b"", 0
        for place in range(self.number):
            word.first, word.first_length = self._pair[place].first, self._pair[place].first_length
            end = <const char*> memchr(word.first, c" ", word.first_length)
            if end is not NULL:
                word.first_length = end - word.first
            which[place] = words.look_up(&word, False) + 1
        return found

    cdef int64_t number_noted(self, const Notes* notes, const Value* one, const Value* other) except -1:
        """The number of the pair of one element's values; NULL for a missing attribute."""
        cdef Pair pair
        if one is NULL and other is NULL and self._none >= 0:
            return self._none
        pair.first, pair.first_length = b"", 0
        pair.second, pair.second_length = b"", 0
        if one is not NULL:
            pair.first, pair.first_length = notes.bytes + one.begin, one.length
        if other is not NULL:
            pair.second, pair.second_length = notes.bytes + other.begin, other.length
        return self.look_up(&pair, one is NULL and other is NULL)

    cdef int64_t look_up(self, const Pair* pair, bint nothing) except -1:
        """The number of a pair, a new number for a new pair; `nothing`: the pair of elements with neither attribute."""
        cdef uint64_t hashed = mixed(pair.first, pair.first_length, 1)
        cdef size_t slot = mixed(pair.second, pair.second_length, hashed) & self._mask
        cdef int32_t number = self._slot[slot]
        while number >= 0 and not same(&self._pair[number], pair):
            slot = (slot + 1) & self._mask
            number = self._slot[slot]
        if number < 0:
            number = <int32_t> self.number
            self._slot[slot], self._pair[number] = number, pair[0]
            self.number += 1
        if nothing:
            self._none = number
        return number


def first_words(pairs):
    if isinstance(pairs, Pairs):
        return (<Pairs> pairs).first_words()
    return kernels.forms["first_words"].numpy(pairs)


cdef inline bint same(const Pair* one, const Pair* other) noexcept:
    return (
        one.first_length == other.first_length and one.second_length == other.second_length
        and memcmp(one.first, other.first, one.first_length) == 0
        and memcmp(one.second, other.second, one.second_length) == 0
    )


cdef inline uint64_t mixed(const char* text, Py_ssize_t length, uint64_t hashed) noexcept:
    """A hash that pages cannot predict."""
    cdef uint64_t some
    hashed = (hashed ^ <uint64_t> length) * _HASHING
    while length > 0:
        some = 0
        memcpy(&some, text, 8 if length > 8 else length)
        hashed = (hashed ^ some) * _HASHING
        hashed ^= hashed >> 32
        text += 8
        length -= 8
    return hashed ^ hashed >> 29
