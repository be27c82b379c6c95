"""Concatenated UTF-8 texts and their numbers; see `extractors.titles.names`."""


cdef inline Py_ssize_t letter_code(uint32_t letter, uint8_t* code) noexcept:
    """Write a letter in UTF-8; returns its bytes."""
    if letter < 0x80:
        code[0] = <uint8_t> letter
        return 1
    if letter < 0x800:
        code[0], code[1] = <uint8_t> (0xC0 | letter >> 6), <uint8_t> (0x80 | letter & 63)
        return 2
    if letter < 0x10000:
        code[0], code[1] = <uint8_t> (0xE0 | letter >> 12), <uint8_t> (0x80 | letter >> 6 & 63)
        code[2] = <uint8_t> (0x80 | letter & 63)
        return 3
    code[0], code[1] = <uint8_t> (0xF0 | letter >> 18), <uint8_t> (0x80 | letter >> 12 & 63)
    code[2], code[3] = <uint8_t> (0x80 | letter >> 6 & 63), <uint8_t> (0x80 | letter & 63)
    return 4


cdef inline Py_ssize_t code_letter(const uint8_t* code, uint32_t* letter) noexcept:
    """Read a letter in UTF-8; returns its bytes."""
    if code[0] < 0x80:
        letter[0] = code[0]
        return 1
    if code[0] < 0xE0:
        letter[0] = <uint32_t> (code[0] & 31) << 6 | code[1] & 63
        return 2
    if code[0] < 0xF0:
        letter[0] = <uint32_t> (code[0] & 15) << 12 | <uint32_t> (code[1] & 63) << 6 | code[2] & 63
        return 3
    letter[0] = <uint32_t> (code[0] & 7) << 18 | <uint32_t> (code[1] & 63) << 12
    letter[0] |= <uint32_t> (code[2] & 63) << 6 | code[3] & 63
    return 4


cdef bint is_name(str name, const uint8_t* code, Py_ssize_t size) noexcept:
    cdef Py_ssize_t at, place = 0, several
    cdef uint8_t[4] letter
    cdef int kind = PyUnicode_KIND(name)
    cdef const void* data = PyUnicode_DATA(name)
    for at in range(PyUnicode_GET_LENGTH(name)):
        several = letter_code(<uint32_t> PyUnicode_READ(kind, data, at), letter)
        if place + several > size or memcmp(letter, code + place, several):
            return False
        place += several
    return place == size


cdef class NameTable:
    cdef const uint64_t[::1] slots
    cdef const uint8_t[::1] letters
    cdef const uint32_t[::1] begins

    def __init__(self, slots, letters, begins):
        self.slots, self.letters, self.begins = slots, letters, begins
        if slots.shape[0] & (slots.shape[0] - 1) or not slots.shape[0]:
            raise ValueError("slots are a power of two")

    def find(self, names):
        cdef uint64_t last = self.slots.shape[0] - 1, wanted, at, entry
        cdef Py_ssize_t number
        cdef uint32_t begin
        cdef str name
        cdef list found = []
        for name in names:
            TOPICRAWL_PREFETCH(&self.slots[<uint64_t> hash(name) & 0xFFFFFFFF & last])
        for name in names:
            wanted = <uint64_t> hash(name) & 0xFFFFFFFF
            at, number = wanted & last, -1
            while self.slots[at]:
                entry = self.slots[at] & 0xFFFFFFFF
                if self.slots[at] >> 32 == wanted:
                    begin = self.begins[entry - 1]
                    if is_name(name, &self.letters[begin], <Py_ssize_t> self.begins[entry] - begin):
                        number = <Py_ssize_t> entry - 1
                        break
                at = (at + 1) & last
            found.append(number)
        return found

    def texts(self, numbers):
        cdef Py_ssize_t number
        cdef list found = []
        for number in numbers:
            if not 0 <= number < self.begins.shape[0] - 1 or self.begins[number] > self.begins[number + 1]:
                raise IndexError("a name that is not there")
            found.append(PyUnicode_DecodeUTF8(
                <const char*> &self.letters[self.begins[number]], self.begins[number + 1] - self.begins[number], "surrogatepass"
            ))
        return tuple(found)
