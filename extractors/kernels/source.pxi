"""A page's bytes before they are parsed; see `extractors.html.encoding` and `extractors.html.parsing`."""

def utf8_length(bytes source):
    """The number of characters of these bytes as UTF-8; −1 if invalid, by the rules of Python's codec."""
    cdef const unsigned char* at = source
    cdef const unsigned char* end = at + len(source)
    cdef const unsigned char* begin = at
    cdef Py_ssize_t further = 0  # bytes after the first of a character
    cdef uint64_t eight
    cdef uint64_t[4] many
    cdef unsigned char first, low, high
    cdef int more
    while at < end:
        while at + 32 <= end:
            memcpy(many, at, 32)
            if (many[0] | many[1] | many[2] | many[3]) & <uint64_t> 0x8080808080808080:
                break
            at += 32
        if at + 8 <= end:
            memcpy(&eight, at, 8)
            if not eight & <uint64_t> 0x8080808080808080:
                at += 8
                continue
        first = at[0]
        at += 1
        if first < 0x80:
            continue
        low, high = 0x80, 0xBF  # of the second byte: no overlong forms, no surrogates, nothing beyond U+10FFFF
        if 0xC2 <= first <= 0xDF:
            more = 1
        elif 0xE0 <= first <= 0xEF:
            more = 2
            if first == 0xE0:
                low = 0xA0
            elif first == 0xED:
                high = 0x9F
        elif 0xF0 <= first <= 0xF4:
            more = 3
            if first == 0xF0:
                low = 0x90
            elif first == 0xF4:
                high = 0x8F
        else:
            return -1
        if end - at < more or not low <= at[0] <= high:
            return -1
        if more > 1 and not 0x80 <= at[1] <= 0xBF or more > 2 and not 0x80 <= at[2] <= 0xBF:
            return -1
        at += more
        further += more
    return end - begin - further


def long_heads(bytes source, Py_ssize_t distance, Py_ssize_t most):
    """The end of attribute number `most`, and the end of the head, for each tag that begins more than `distance` bytes before the
    next `<`, is that long itself, and has more than `most` attributes."""
    cdef const char* begin = source
    cdef const char* end = begin + len(source)
    cdef const char* at = <const char*> memchr(begin, c"<", end - begin)
    cdef const char* following
    cdef const char* head
    cdef const char* last
    cdef const char* reached = begin
    cdef list found = []
    while at is not NULL:
        following = last_within(at, distance if distance < end - at else end - at - 1)
        if following is not NULL:
            at = following
            continue
        following = <const char*> memchr(at + 1, c"<", end - at - 1)
        if (following if following is not NULL else end) - at > distance and at >= reached:
            head = end_of_head(at, end)
            if head - at > distance:
                last = end_of_attribute(at, head, most)
                if last is not NULL:
                    found.append((last - begin, head - begin))
                    reached = head
        at = following
    return found


cdef inline const char* last_within(const char* at, Py_ssize_t distance) noexcept:
    """The last `<` within `distance` bytes after this place, NULL if there is none: no earlier one has its next `<` farther
    away."""
    cdef const char* found = at + distance
    while found > at:
        if found[0] == c"<":
            return found
        found -= 1
    return NULL


cdef const char* end_of_head(const char* at, const char* end) noexcept:
    """The end of a tag's name and attributes, before its `>` or an open quote; the start if no name follows."""
    cdef const char* closing
    if end - at < 2 or not (c"a" <= at[1] | 32 <= c"z"):
        return at
    at += 2
    while at < end and at[0] != c">":
        if at[0] == c'"' or at[0] == c"'":
            closing = <const char*> memchr(at + 1, at[0], end - at - 1)
            if closing is NULL:
                return at
            at = closing
        at += 1
    return at


cdef const char* end_of_attribute(const char* at, const char* end, Py_ssize_t number) noexcept:
    """The end of attribute `number`, counted from 0 with the tag's name; NULL if there are fewer."""
    cdef const char* value
    cdef const char* closing
    while at < end:
        if is_space(at[0]) or at[0] in (c"/", c'"', c"'", c"="):
            at += 1
            continue
        while at < end and not (is_space(at[0]) or at[0] in (c"/", c'"', c"'", c"=")):
            at += 1
        value = at
        while value < end and is_space(value[0]):
            value += 1
        if value < end and value[0] == c"=":
            value += 1
            while value < end and is_space(value[0]):
                value += 1
            at = value
            if at < end and (at[0] == c'"' or at[0] == c"'"):
                closing = <const char*> memchr(at + 1, at[0], end - at - 1)
                if closing is not NULL:
                    at = closing + 1
            else:
                while at < end and not (is_space(at[0]) or at[0] == c'"' or at[0] == c"'"):
                    at += 1
        if number == 0:
            return at
        number -= 1
    return NULL


cdef inline bint is_space(char character) noexcept:
    return character == c" " or 9 <= character <= 13
