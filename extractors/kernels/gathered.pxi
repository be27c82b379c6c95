"""Converts the data gathered from a page's events to the arrays and texts of a `NativeFlatTree`."""


cdef NativeFlatTree flat_tree_of(Gathering* all, source):
    cdef NativeFlatTree flat = NativeFlatTree.__new__(NativeFlatTree)
    cdef Py_ssize_t place
    cdef Opened* element = all.elements
    flat._make_room(source, all.number, all.several)
    flat._notes = all.notes
    memset(&all.notes, 0, sizeof(Notes))
    cdef int16_t[::1] tags = flat.tags
    cdef int32_t[::1] parents = flat.parents, depths = flat.depths, ends = flat.ends
    cdef int32_t[::1] starts = flat.chunk_starts, stops = flat.chunk_ends
    cdef unsigned char[::1] links = flat.links.view(np.uint8)
    numbers_of = np.empty(all.several + 1, np.int32)
    cdef int32_t[::1] numbers = numbers_of
    cdef int32_t several = put_texts(all, flat, numbers)
    element.end, element.last_text = <int32_t> all.number, <int32_t> all.several
    for place in range(all.number):
        element = &all.elements[place]
        tags[place], parents[place], depths[place] = element.tag, element.parent, element.depth
        ends[place], links[place] = element.end, element.is_link
        starts[place], stops[place] = numbers[element.first_text], numbers[element.last_text]
    flat.owners, flat.spaced = flat.owners[:several], flat.spaced[:several]
    return flat


cdef int32_t put_texts(const Gathering* all, NativeFlatTree flat, int32_t[::1] numbers) except -1:
    """The number of texts that are not blank; numbers[k]: the number of these before text k."""
    cdef int32_t[::1] owners = flat.owners
    cdef unsigned char[::1] spaced = flat.spaced.view(np.uint8)
    cdef list texts = flat.texts
    cdef const Gathered* one
    cdef int32_t several = 0
    cdef bint space = False
    cdef str text
    cdef Py_ssize_t place
    for place in range(all.several):
        one = &all.texts[place]
        numbers[place] = several
        text = PyUnicode_DecodeUTF8(all.bytes + one.begin, one.length, NULL)
        space = space or one.spaced
        if not is_blank(text):
            owners[several], spaced[several] = one.owner, space or text[0].isspace()
            texts.append(text)
            several += 1
        if one.is_code:
            flat.code_texts[one.owner, one.begun] = text
        space = text[len(text) - 1].isspace()
    numbers[all.several] = several
    return several
