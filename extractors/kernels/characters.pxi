"""Characters counted by kind; see `extractors.text.characters`."""

def count_characters(list texts, const unsigned char[::1] class_of, const int32_t[:, ::1] kinds):
    """int32[kinds, M]: characters of each kind in each text.

    class_of: by code point, the last one also for all beyond. kinds[classes, kinds]: 1 where the class belongs to the kind.
    """
    cdef Py_ssize_t number = len(texts), classes = kinds.shape[0], columns = kinds.shape[1]
    found = np.empty((columns, number), np.int32)
    cdef int32_t[:, ::1] counts = found
    cdef int32_t[256] seen
    cdef int32_t[256] seen_too  # counts of every second character, so that runs of equal characters do not wait for each other
    cdef Py_ssize_t text, place, length, column, kind
    cdef Py_ssize_t last = class_of.shape[0] - 1
    cdef Py_UCS4 character
    cdef int32_t total
    cdef void* data
    cdef int width
    cdef object string
    if classes > 256:
        raise ValueError("more classes of characters than there is room for")
    for text in range(number):
        string = texts[text]
        for kind in range(classes):
            seen[kind] = seen_too[kind] = 0
        length, width, data = PyUnicode_GET_LENGTH(string), PyUnicode_KIND(string), PyUnicode_DATA(string)
        for place in range(length // 2):
            character = PyUnicode_READ(width, data, 2 * place)
            seen[class_of[character if character < last else last]] += 1
            character = PyUnicode_READ(width, data, 2 * place + 1)
            seen_too[class_of[character if character < last else last]] += 1
        if length % 2:
            character = PyUnicode_READ(width, data, length - 1)
            seen[class_of[character if character < last else last]] += 1
        for column in range(columns):
            total = 0
            for kind in range(classes):
                total += kinds[kind, column] * (seen[kind] + seen_too[kind])
            counts[column, text] = total
    return found
