"""Lower case as by `str.lower`, but faster: for Chinese text, `str.lower` looks every character up."""

cdef extern from "Python.h":
    str PyUnicode_New(Py_ssize_t size, Py_UCS4 largest)


cdef inline bint has_one_case(uint32_t code) noexcept nogil:
    """Whether a non-ASCII character is in a range without capital letters: Chinese, Japanese, Korean, punctuation."""
    return (
        0x2E80 <= code <= 0xA63F or 0x2000 <= code <= 0x20FF or 0xAC00 <= code <= 0xD7FF
        or 0xFF00 <= code <= 0xFF20 or 0xFF3B <= code <= 0xFFEF
    )


cdef str in_small_letters(str text):
    """The result of `text.lower()`."""
    if PyUnicode_KIND(text) != 2:
        return text.lower()
    cdef Py_ssize_t place, length = PyUnicode_GET_LENGTH(text), capitals = 0
    cdef const uint16_t* codes = <const uint16_t*> PyUnicode_DATA(text)
    for place in range(length):
        if codes[place] < 128:
            capitals += 65 <= codes[place] <= 90
        elif not has_one_case(codes[place]):
            return text.lower()
    if not capitals:
        return text
    cdef str found = PyUnicode_New(length, 0xFFFF)
    cdef uint16_t* small_codes = <uint16_t*> PyUnicode_DATA(found)
    for place in range(length):
        small_codes[place] = codes[place] + 32 if 65 <= codes[place] <= 90 else codes[place]
    return found
