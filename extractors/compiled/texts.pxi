"""Texts of a page put together; see `extractors.columns` and `extractors.article.blocks`."""


def join(list texts, const int64_t[::1] chunks, const unsigned char[::1] between):
    """These texts as one, white space folded: before all but the first stands what `between`, uint8[M], says of it:
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


cdef str folded(str text):
    """Without white space at its ends, and with one space for any inside."""
    cdef Py_ssize_t begin = 0, end = len(text), place
    cdef bint spaced = False
    cdef Py_UCS4 character
    while begin < end and text[begin].isspace():
        begin += 1
    while end > begin and text[end - 1].isspace():
        end -= 1
    for place in range(begin, end):
        character = text[place]
        if character.isspace():
            if spaced or character != c" ":
                return " ".join(text.split())
            spaced = True
        else:
            spaced = False
    return text[begin:end]


def beginnings(list texts, const int64_t[::1] chunks, const int64_t[::1] start, Py_ssize_t length):
    """The first characters of each block, from its first two texts."""
    cdef list found = []
    cdef Py_ssize_t number = start.shape[0], block, begin, end
    cdef str text
    for block in range(number):
        text = texts[chunks[start[block]]]
        begin, end = 0, len(text)
        while begin < end and text[begin].isspace():
            begin += 1
        if end - begin >= length:
            found.append(text[begin : begin + length])
            continue
        text = text[begin:]
        if (start[block + 1] if block + 1 < number else chunks.shape[0]) - start[block] > 1:
            text = (text + <str> texts[chunks[start[block] + 1]])[:length]
        found.append(text)
    return found


def first_words(list names):
    """int64[D]: a number, from 1, for what stands before the first space in the first of each pair."""
    cdef dict numbers = {}
    found = np.empty(len(names), np.int64)
    cdef int64_t[::1] which = found
    cdef Py_ssize_t place, end
    cdef str text
    for place in range(len(names)):
        text = (<tuple> names[place])[0]
        end = text.find(" ")
        if end >= 0:
            text = text[:end]
        which[place] = numbers.setdefault(text, len(numbers) + 1)
    return found
