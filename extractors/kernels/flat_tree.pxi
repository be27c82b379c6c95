"""The result of `events.pxi`, with the interface of `extractors.html.flat_tree.FlatTree`."""


cdef inline bint is_ascii_blank(const unsigned char* text) noexcept nogil:
    while 9 <= text[0] <= 13 or 28 <= text[0] <= 32:
        text += 1
    return text[0] == 0


cdef bint is_blank(str text):
    cdef Py_ssize_t place
    cdef int kind = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    for place in range(len(text)):
        if not (<Py_UCS4> PyUnicode_READ(kind, data, place)).isspace():
            return False
    return True


cdef class NativeFlatTree:
    """See `extractors.html.flat_tree.FlatTree`: the same attributes, methods and values, for the attributes of HTML elements
    that `extractors.html.tags.NOTED` names; KeyError for others."""

    cdef readonly object tags, parents, depths, ends, chunk_starts, chunk_ends, owners, spaced, links
    cdef readonly list texts
    cdef readonly dict code_texts
    cdef object _source  # its root is the tree, built when an element is first requested
    cdef list _elements
    cdef Py_ssize_t _number
    cdef Notes _notes

    def __cinit__(self):
        memset(&self._notes, 0, sizeof(Notes))

    def __dealloc__(self):
        free(self._notes.bytes)
        free(self._notes.values)

    cdef int _make_room(self, source, Py_ssize_t elements, Py_ssize_t texts) except -1:
        self._source, self._number, self.texts, self.code_texts = source, elements, [], {}
        self.tags, self.links = np.empty(elements, np.int16), np.zeros(elements, np.bool_)
        self.parents, self.depths, self.ends = (np.empty(elements, np.int32) for _ in range(3))
        self.chunk_starts, self.chunk_ends = np.empty(elements, np.int32), np.empty(elements, np.int32)
        self.owners, self.spaced = np.empty(texts, np.int32), np.empty(texts, np.bool_)
        return 0

    @property
    def elements(self):
        if self._elements is None:
            self._elements = list(islice(self._source.root.iter("*"), self._number))
        return self._elements

    def attribute(self, str name):
        """The attribute's value for each element, "" where it is absent."""
        values = self.sparse((name,))[0]
        return [values.get(place, "") for place in range(self._number)]

    def has_attribute(self, str name):
        """bool: whether each element has this attribute."""
        found = np.zeros(self._number, np.bool_)
        found[list(self.sparse((name,))[0])] = True
        return found

    def value(self, Py_ssize_t place, str name):
        """An element's attribute, "" where it is absent."""
        if not 0 <= place < self._number:
            raise IndexError("no such element")
        return noted_value(&self._notes, place, _NOTED[name.encode()])

    def unlisted_name(self, Py_ssize_t place):
        """The tag of an element whose tag code is 0."""
        return noted_value(&self._notes, place, TAG_NAME)

    def has_script(self, Py_ssize_t place):
        """Whether a script has content."""
        return has_note(&self._notes, place, SCRIPT) or has_note(&self._notes, place, LINKED_DATA)

    @property
    def walks(self):
        """See `extractors.html.flat_tree.FlatTree`."""
        return False

    def sparse(self, names):
        """A dict for each name: by place, the attribute's values of the elements that have it."""
        return noted_dicts(&self._notes, names)

    def data_ids(self, Py_ssize_t place):
        """Names and values of an element's attributes whose names begin with data- and end with id."""
        return noted_data_ids(&self._notes, place)

    def linked_data(self):
        """The non-empty texts of the scripts whose type contains "ld+json"."""
        cdef Value* value
        cdef Py_ssize_t number
        cdef list found = []
        for number in range(self._notes.number):
            value = &self._notes.values[number]
            if value.name == LINKED_DATA and value.length:
                found.append(text_of(&self._notes, value))
        return found

    def pairs(self, str first_name, str second_name, asked):
        """The distinct pairs of two attributes' values among the elements in `asked`, bool[N], in order of appearance; and the
        number of each element's pair, int64. Their texts are made on first use."""
        cdef int16_t first = _NOTED[first_name.encode()], second = _NOTED[second_name.encode()]
        cdef const unsigned char[::1] marks = asked.view(np.uint8)
        if marks.shape[0] != self._number:
            raise ValueError("`asked` needs a value for every element")
        which = np.empty(np.count_nonzero(asked), np.int64)
        cdef int64_t[::1] numbers = which
        cdef Pairs known = Pairs(which.shape[0], self)
        cdef Value* value = self._notes.values
        cdef Value* end = value + self._notes.number
        cdef Value* one
        cdef Value* other
        cdef Py_ssize_t place, at = 0
        for place in range(self._number):
            one = other = NULL
            while value < end and value.place == place:
                if value.name == first and one is NULL:
                    one = value
                if value.name == second and other is NULL:
                    other = value
                value += 1
            if marks[place]:
                numbers[at] = known.number_noted(&self._notes, one, other)
                at += 1
        return known, which
