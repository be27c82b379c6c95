"""Kernels of `extractors.records.signals`: signals of a page's texts, names and links."""


def fold_texts(list texts):
    """See `extractors.records.signals`."""
    return [folded(text) for text in texts]


def index_texts(list texts, Py_ssize_t beginning):
    """See `extractors.records.signals`."""
    cdef list lowered = [], distinct = []
    cdef dict numbers = {}, begun = {}
    cdef Py_ssize_t place, several = len(texts)
    cdef str text, low
    found = np.empty((3, several), np.int64)
    cdef int64_t[:, ::1] number = found
    for place in range(several):
        text = texts[place]
        low = in_small_letters(text.strip())
        lowered.append(low)
        known = numbers.get(low)
        if known is None:
            known = numbers[low] = len(distinct)
            distinct.append(low)
        number[0, place], number[2, place] = known, len(low)
        if len(text) > beginning:
            text = text[:beginning]
        number[1, place] = begun.setdefault(text, len(begun))
    return lowered, distinct, found[0], found[1], found[2]


cdef str numbers_as(str text, str sign):
    """The text with each number replaced by a sign."""
    cdef int kind = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    cdef Py_ssize_t place = 0, begun = 0, length = len(text)
    cdef list parts = None
    while place < length:
        if not is_decimal(PyUnicode_READ(kind, data, place)):
            place += 1
            continue
        if parts is None:
            parts = []
        parts.append(text[begun:place])
        parts.append(sign)
        while place < length and is_decimal(PyUnicode_READ(kind, data, place)):
            place += 1
        begun = place
    if parts is None:
        return text
    parts.append(text[begun:])
    return "".join(parts)


cdef inline bint is_decimal(Py_UCS4 character) noexcept:
    return c"0" <= character <= c"9" or character > 127 and character.isdecimal()


def compared_names(list names, frozenset state, Py_ssize_t most):
    """See `extractors.records.signals.class_names`."""
    cdef list tokens = [], stems = [], spellings = []
    cdef str classes, identity, lowered, token, stem
    cdef set found
    cdef Py_ssize_t place
    for place in range(len(names)):
        classes, identity = <tuple> names[place]
        lowered = classes.lower()
        if lowered:
            found = set()
            for token in lowered.split(None, most)[:most]:
                token = numbers_as(token, "").strip("-_")
                if len(token) > 1 and token not in state:
                    found.add(token)
            tokens.append(tuple(sorted(found)) if len(found) > 1 else tuple(found))
        else:
            tokens.append(())
        stem = numbers_as(identity, "#")
        stems.append("" if stem is identity else stem)
        spellings.append(numbers_as(f"{lowered} {identity.lower()}".strip(), "#"))
    return tokens, stems, spellings


def leading_links(const int64_t[::1] place, dict targets, tuple nowhere):
    """See `extractors.records.signals.links`."""
    cdef Py_ssize_t number, filled = 0
    cdef dict numbers = {}
    cdef str target
    kept_of, found = np.zeros(place.shape[0], np.bool_), np.empty(place.shape[0], np.int64)
    cdef unsigned char[::1] kept = kept_of.view(np.uint8)
    cdef int64_t[::1] known = found
    for number in range(place.shape[0]):
        target = targets.get(place[number], "")
        if target and not target.startswith(nowhere):
            kept[number] = True
            known[filled] = numbers.setdefault(target, len(numbers))
            filled += 1
    return kept_of, found[:filled]


def numbered_targets(list places, dict targets, Py_ssize_t longest):
    """See `extractors.records.signals.links`."""
    cdef Py_ssize_t number
    cdef dict numbers = {}
    cdef str target
    found = np.empty(len(places), np.int64)
    cdef int64_t[::1] which = found
    for number in range(len(places)):
        target = targets.get(places[number], "")
        if len(target) > longest:
            target = target[:longest]
        which[number] = numbers.setdefault(in_small_letters(target), len(numbers))
    return list(numbers), found


def naming_chunks(
    const int64_t[::1] place, const int32_t[::1] chunk_start, const int32_t[::1] chunk_end,
    const unsigned char[::1] usable, const unsigned char[::1] longer, Py_ssize_t most
):
    """See `extractors.records.signals.author_candidates`."""
    cdef Py_ssize_t number
    cdef int64_t chunk
    found = np.full(place.shape[0], -1, np.int64)
    cdef int64_t[::1] chosen = found
    for number in range(place.shape[0]):
        for chunk in range(chunk_start[place[number]], min(chunk_end[place[number]], chunk_start[place[number]] + most)):
            if longer[chunk]:
                chosen[number] = chunk
                break
            if usable[chunk] and chosen[number] < 0:
                chosen[number] = chunk
    return found


def number_texts(const int64_t[::1] chosen, list texts):
    """See `extractors.records.signals.author_candidates`."""
    cdef Py_ssize_t place
    cdef dict labels = {"": 0}
    found = np.zeros(chosen.shape[0], np.int64)
    cdef int64_t[::1] number = found
    for place in range(chosen.shape[0]):
        if chosen[place] >= 0:
            number[place] = labels.setdefault(texts[chosen[place]], len(labels))
    return found, list(labels)
