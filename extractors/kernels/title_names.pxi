"""Texts in UTF-8, one after the other, and their numbers; see `extractors.titles.names`."""


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


def find_names(names, const uint64_t[::1] slots, const uint8_t[::1] letters, const uint32_t[::1] begins):
    cdef uint64_t last = slots.shape[0] - 1, wanted, at, slot
    cdef Py_ssize_t number
    cdef str name
    cdef list found = []
    for name in names:
        TOPICRAWL_PREFETCH(&slots[<uint64_t> hash(name) & 0xFFFFFFFF & last])
    for name in names:
        wanted = <uint64_t> hash(name) & 0xFFFFFFFF
        at, number = wanted & last, -1
        while slots[at]:
            slot = slots[at] & 0xFFFFFFFF
            if slots[at] >> 32 == wanted and is_name(name, &letters[begins[slot - 1]], begins[slot] - begins[slot - 1]):
                number = <Py_ssize_t> slot - 1
                break
            at = (at + 1) & last
        found.append(number)
    return found


def names_of(numbers, const uint8_t[::1] letters, const uint32_t[::1] begins):
    cdef uint32_t number
    cdef list found = []
    for number in numbers:
        if number + 1 >= <uint32_t> begins.shape[0]:
            raise IndexError("a name that is not there")
        found.append(
            PyUnicode_DecodeUTF8(<const char*> &letters[begins[number]], begins[number + 1] - begins[number], "surrogatepass")
        )
    return tuple(found)
