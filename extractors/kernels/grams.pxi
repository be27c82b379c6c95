"""Grams of short texts as numbers; see `extractors.topic.grams`."""

DEF LONGEST_TEXT = 200


def gram_cells(const uint32_t[::1] codes, const uint64_t[::1] salts):
    """The distinct grams of T texts, given as N code points, each text with a final line break: text · 2¹⁸ + gram, sorted."""
    cdef Py_ssize_t count = codes.shape[0], texts = salts.shape[0], place, text = 0, length = 0, found = 0, kept = 0
    cells = np.empty(count, np.int64)
    cdef int64_t[::1] cell = cells
    cdef uint64_t total = 0, power = 1, number
    cdef uint32_t code, before = 0
    cdef bint wide, was_wide = False
    for place in range(count):
        code = codes[place]
        if is_letter(code):
            total += code * power
            length += 1
            if length <= LONGEST_TEXT:
                power *= 31
            was_wide = False
            continue
        if text >= texts:
            raise IndexError("no such text")
        if length > 1:
            cell[found] = cell_of(text, total + salts[text])
            found += 1
        if length:
            total, power, length = 0, 1, 0
        wide = code >= 0x2E80 and code != 0x3000 and not 0xFF00 <= code < 0xFF66
        if wide and was_wide:
            number = <uint64_t> before * 0x10001 + code
            cell[found] = cell_of(text, number + salts[text])
            found += 1
        was_wide, before = wide, code
        text += code == c"\n"
    cells[:found].sort()
    for place in range(found):
        if not kept or cell[place] != cell[kept - 1]:
            cell[kept] = cell[place]
            kept += 1
    return cells[:kept].copy()


cdef inline bint is_letter(uint32_t code) noexcept:
    return c"a" <= code <= c"z" or (0xC0 <= code < 0x2000 and code != 0xD7 and code != 0xF7)


cdef inline int64_t cell_of(Py_ssize_t text, uint64_t number) noexcept:
    return (<int64_t> text << 18) + <int64_t> ((number * <uint64_t> 0x9E3779B97F4A7C15) >> 46)


def codes_folded(str text, const uint32_t[::1] table):
    """The code points of a text, mapped by the table; others stay."""
    cdef Py_ssize_t length = PyUnicode_GET_LENGTH(text), place
    cdef int kind = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    cdef uint32_t code, known = <uint32_t> table.shape[0]
    codes = np.empty(length, np.uint32)
    cdef uint32_t[::1] to = codes
    for place in range(length):
        code = PyUnicode_READ(kind, data, place)
        to[place] = table[code] if code < known else code
    return codes
