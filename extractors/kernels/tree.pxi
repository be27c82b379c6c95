"""A tree read in one walk over libxml2's nodes, without a Python object for each.

Its arrays are those of `extractors.html.flat_tree.FlatTree`. No pointer to a node is kept: an element
that is asked for later is looked for again from the root, so that a tree which was changed meanwhile does no harm.
"""

cimport lxml.includes.etreepublic as etree
from lxml.includes cimport tree

etree.import_lxml__etree()

cdef extern from "libxml/xmlversion.h":
    const int LIBXML_VERSION


def libxml_major():
    """The first number of the libxml2 whose layout of nodes this was built for."""
    return LIBXML_VERSION // 10000


cdef inline int16_t code_of(tree.xmlNode* node, Names* met) noexcept:
    """The code of an element's tag, 0 for one that is not listed."""
    if node.ns is not NULL and node.ns.href is not NULL:
        return 0
    return number_of(<const char*> node.name, met, &_TAGS)


cdef inline bint is_node(tree.xmlNode* node) noexcept:
    """An element or what lxml shows as one."""
    return node.type in (
        tree.XML_ELEMENT_NODE, tree.XML_COMMENT_NODE, tree.XML_PI_NODE, tree.XML_ENTITY_REF_NODE
    )


cdef inline tree.xmlNode* first_of(tree.xmlNode* node) noexcept:
    """The node itself or the first sibling behind it that is one."""
    while node is not NULL and not is_node(node):
        node = node.next
    return node


cdef inline tree.xmlNode* element_of(tree.xmlNode* node) noexcept:
    """The node itself or the first sibling behind it that is an element."""
    while node is not NULL and node.type != tree.XML_ELEMENT_NODE:
        node = node.next
    return node


cdef inline tree.xmlNode* next_element(tree.xmlNode* node, tree.xmlNode* root) noexcept:
    """The next element of the tree in document order, NULL behind the last."""
    cdef tree.xmlNode* found = element_of(node.children)
    if found is not NULL:
        return found
    while node is not root:
        found = element_of(node.next)
        if found is not NULL:
            return found
        node = node.parent
        if node is NULL:
            return NULL
    return NULL


cdef str text_behind(tree.xmlNode* node, tree.xmlNode* first, bint is_tail):
    """The text that begins with this node, which stands first in an element or behind one; None for a blank one."""
    cdef tree.xmlNode* following = first.next
    if following is not NULL and following.type != tree.XML_ELEMENT_NODE and not is_node(following):
        return etree.tailOf(node) if is_tail else etree.textOf(node)
    cdef const unsigned char* text = <const unsigned char*> first.content
    return PyUnicode_DecodeUTF8(<const char*> text, strlen(<const char*> text), NULL)


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


cdef class Elements:
    """The elements of a tree as a sequence; each is made when it is asked for, and is then the same one every time."""

    cdef object _source
    cdef int32_t[::1] _ends
    cdef Py_ssize_t _number
    cdef Py_ssize_t _steps
    cdef dict _made
    cdef list _all

    def __init__(self, source, int32_t[::1] ends):
        """source.root is the tree, which is not asked for before one of its elements is."""
        self._source = source
        self._ends = ends
        self._number = ends.shape[0]
        self._steps = 8 * self._number + 1000
        self._made = {}

    def __len__(self):
        return self._number

    def __getitem__(self, place):
        if isinstance(place, slice):
            return [self._at(number) for number in range(*place.indices(self._number))]
        return self._at(place)

    def __iter__(self):
        return iter(self._every())

    def __eq__(self, other):
        return self._every() == list(other)

    cdef object _at(self, Py_ssize_t place):
        if place < 0:
            place += self._number
        if not 0 <= place < self._number:
            raise IndexError("no such element")
        if self._all is not None:
            return self._all[place]
        element = self._made.get(place)
        if element is None:
            if self._steps < 0:  # so much has been looked for that all are found in less
                return self._every()[place]
            element = self._made[place] = self._find(place)
        return element

    cdef object _find(self, Py_ssize_t place):
        """Down from the root, passing by the siblings before the element or the one that holds it."""
        cdef etree._Element root = self._source.root
        cdef tree.xmlNode* node = root._c_node
        cdef Py_ssize_t at = 0
        while at != place and node is not NULL:
            self._steps -= 1
            if place < self._ends[at]:
                node = element_of(node.children)
                at += 1
            else:
                node = element_of(node.next)
                at = self._ends[at]
        if node is NULL:
            raise LookupError("the tree was changed after its columns were made")
        return etree.elementFactory(root._doc, node)

    cdef list _every(self):
        if self._all is None:
            self._all = self._walk()
            self._made.clear()
        return self._all

    cdef list _walk(self):
        cdef etree._Element root = self._source.root
        cdef tree.xmlNode* node = root._c_node
        cdef list found = []
        cdef Py_ssize_t place
        for place in range(self._number):
            if node is NULL:
                raise LookupError("the tree was changed after its columns were made")
            element = self._made.get(place)
            found.append(etree.elementFactory(root._doc, node) if element is None else element)
            node = next_element(node, root._c_node)
        return found


cdef class Parsed:
    """A tree that is there already."""

    cdef readonly etree._Element root

    def __init__(self, etree._Element root not None):
        self.root = root


cdef class NativeFlatTree:
    """See `extractors.html.flat_tree.FlatTree`: the same attributes and methods, the same values."""

    cdef readonly object tags, parents, depths, ends, chunk_starts, chunk_ends, owners, spaced, elements, links
    cdef readonly list texts
    cdef readonly dict code_texts  # None for what is read from a tree
    cdef object _source  # whose root is the tree
    cdef Py_ssize_t _number
    cdef Notes _notes
    cdef bint _was_heard  # from the parser, before there was a tree

    def __cinit__(self):
        memset(&self._notes, 0, sizeof(Notes))

    def __dealloc__(self):
        free(self._notes.bytes)
        free(self._notes.values)

    def __init__(self, etree._Element root not None, Py_ssize_t limit):
        if self._source is not None:
            raise ValueError("a tree is read once")
        elements, nodes, texts = count_nodes(root._c_node, limit)
        self._make_room(Parsed(root), elements, texts)
        if elements:
            self._read(root._c_node, nodes)
        self.owners, self.spaced = self.owners[: len(self.texts)], self.spaced[: len(self.texts)]

    cdef int _make_room(self, source, Py_ssize_t elements, Py_ssize_t texts) except -1:
        self._source, self._number, self.texts = source, elements, []
        self.tags, self.links = np.empty(elements, np.int16), np.zeros(elements, np.bool_)
        self.parents, self.depths, self.ends = (np.empty(elements, np.int32) for _ in range(3))
        self.chunk_starts, self.chunk_ends = np.empty(elements, np.int32), np.empty(elements, np.int32)
        self.owners, self.spaced = np.empty(texts, np.int32), np.empty(texts, np.bool_)
        self.elements = Elements(source, self.ends)
        return 0

    cdef int _read(self, tree.xmlNode* node, Py_ssize_t nodes) except -1:
        cdef int16_t[::1] tags = self.tags
        cdef int32_t[::1] parents = self.parents, depths = self.depths, ends = self.ends
        cdef int32_t[::1] starts = self.chunk_starts, stops = self.chunk_ends
        cdef unsigned char[::1] links = self.links.view(np.uint8)
        cdef int32_t at = -1, number = 0, depth = 0
        cdef Names names, attributes
        cdef tree.xmlNode* found
        cdef Reader reader = Reader(self.owners, self.spaced, self.texts)
        memset(&names, 0, sizeof(names))
        memset(&attributes, 0, sizeof(attributes))
        while True:
            found = NULL
            nodes -= 1
            if node.type == tree.XML_ELEMENT_NODE:
                tags[number] = code_of(node, &names)
                parents[number], depths[number], starts[number] = at, depth, reader.count
                if node.properties is not NULL:
                    self._note(node, number, &attributes)
                if tags[number] == _LINK:
                    links[number] = attribute_of(node, b"href") is not NULL
                at, depth = number, depth + 1
                number += 1
                if not _IS_SILENT[tags[at]]:
                    reader.read(node, node.children, at, False)
                found = first_of(node.children) if nodes > 0 else NULL
            # the way up from what has no node inside: behind each stands its tail
            while found is NULL:
                if node.type == tree.XML_ELEMENT_NODE:
                    ends[at], stops[at] = number, reader.count
                    at, depth = parents[at], depth - 1
                if at < 0:
                    return 0
                if not _IS_SILENT[tags[at]]:
                    reader.read(node, node.next, at, True)
                found = first_of(node.next) if nodes > 0 else NULL
                if found is NULL:
                    node = node.parent
            node = found

    cdef int _note(self, tree.xmlNode* node, Py_ssize_t place, Names* met) except -1:
        """Puts down the values of an element's attributes that are asked for."""
        cdef tree.xmlAttr* attribute = node.properties
        cdef const char* name
        cdef int16_t which
        while attribute is not NULL:
            name = <const char*> attribute.name
            which = number_of(name, met, &_ATTRIBUTES) if attribute.ns is NULL else 0
            if which:
                self._note_value(node, attribute, place, which)
            elif attribute.ns is NULL and is_data_id(name):
                if put_down(&self._notes, place, DATA_NAME, name, strlen(name)) < 0:
                    raise MemoryError()
                self._note_value(node, attribute, place, DATA_VALUE)
            attribute = <tree.xmlAttr*> attribute.next
        return 0

    cdef int _note_value(
        self, tree.xmlNode* node, tree.xmlAttr* attribute, Py_ssize_t place, int16_t which
    ) except -1:
        cdef tree.xmlNode* text = attribute.children
        cdef const char* value = b""
        cdef bytes written
        if text is not NULL:
            if text.next is NULL and text.type == tree.XML_TEXT_NODE and text.content is not NULL:
                value = <const char*> text.content
            else:
                written = value_of(node, attribute).encode()
                value = written
        if put_down(&self._notes, place, which, value, strlen(value)) < 0:
            raise MemoryError()
        return 0

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
        cdef bytes asked = name.encode()
        if not 0 <= place < self._number:
            raise IndexError("no such element")
        if asked in _NOTED:
            return noted_value(&self._notes, place, _NOTED[asked])
        return self.elements[place].get(name, "")

    def unlisted_name(self, Py_ssize_t place):
        """The tag of an element whose tag code is 0."""
        if self._was_heard:
            return noted_value(&self._notes, place, TAG_NAME)
        return str(self.elements[place].tag)

    def has_script(self, Py_ssize_t place):
        """Whether a script has content of its own."""
        if self._was_heard:
            return has_note(&self._notes, place, SCRIPT) or has_note(&self._notes, place, LINKED_DATA)
        return bool(self.elements[place].text)

    def sparse(self, names):
        """A dict for each name: by place the attribute's values, of the elements that have it."""
        if all(name.encode() in _NOTED for name in names):
            return noted_dicts(&self._notes, names)
        return [self._found_in_tree(name.encode()) for name in names]

    cdef dict _found_in_tree(self, bytes name):
        cdef dict found = {}
        cdef etree._Element root = self._source.root
        cdef tree.xmlNode* node = root._c_node
        cdef tree.xmlAttr* attribute
        cdef Py_ssize_t place
        for place in range(self._number):
            if node is NULL:
                break
            attribute = attribute_of(node, name)
            if attribute is not NULL:
                found[place] = value_of(node, attribute)
            node = next_element(node, root._c_node)
        return found

    def data_ids(self, Py_ssize_t place):
        """Names and values of an element's attributes whose names begin with data- and end with id."""
        return noted_data_ids(&self._notes, place)

    def linked_data(self):
        """The texts, if they have any, of the scripts whose type holds "ld+json"."""
        cdef const int16_t[::1] tags = self.tags
        cdef Value* value
        cdef Py_ssize_t number
        cdef list found = []
        for number in range(self._notes.number):
            value = &self._notes.values[number]
            if value.name == LINKED_DATA:
                found.append(text_of(&self._notes, value))
            elif value.name == _TYPE and tags[value.place] == _SCRIPT and not self._was_heard:
                if "ld+json" in text_of(&self._notes, value):
                    found.append(self.elements[value.place].text)
        return [text for text in found if text]

    def pairs(self, str first, str second, asked):
        """The different pairs of two attributes' values among the elements that are asked, bool[N], first come first;
        and which of them each of these has, int64."""
        if asked.shape != (self._number,):
            raise ValueError("it must be said of every element whether it is asked")
        if first.encode() in _NOTED and second.encode() in _NOTED:
            return self._noted_pairs(first, second, asked)
        ones, others = self.sparse((first, second))
        cdef dict numbers = {}
        which = [
            numbers.setdefault((ones.get(place, ""), others.get(place, "")), len(numbers))
            for place in np.flatnonzero(asked).tolist()
        ]
        return list(numbers), np.array(which, np.int64)

    cdef tuple _noted_pairs(self, str one_name, str other_name, asked):
        """`pairs` of attributes of `extractors.html.tags.NOTED`, whose texts are made when they are asked for."""
        cdef int16_t first = _NOTED[one_name.encode()], second = _NOTED[other_name.encode()]
        cdef const unsigned char[::1] marks = asked.view(np.uint8)
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


cdef tuple count_nodes(tree.xmlNode* root, Py_ssize_t limit):
    """How many elements and nodes are read, and how many texts these have at most."""
    cdef tree.xmlNode* node = root
    cdef Py_ssize_t elements = 0, nodes = 0
    while node is not NULL and nodes < 2 * limit:
        if node.type == tree.XML_ELEMENT_NODE:
            if elements == limit:
                break
            elements += 1
        nodes += 1
        node = next_node(node, root)
    return elements, nodes, 2 * nodes


cdef inline tree.xmlNode* next_node(tree.xmlNode* node, tree.xmlNode* root) noexcept:
    """The next node of the tree in document order, NULL behind the last."""
    cdef tree.xmlNode* found = NULL
    if node.type == tree.XML_ELEMENT_NODE:
        found = first_of(node.children)
    while found is NULL and node is not root:
        found = first_of(node.next)
        node = node.parent
        if node is NULL:
            return NULL
    return found


cdef class Reader:
    """Puts down texts that are not blank, and whether white space stands before each."""

    cdef int32_t[::1] owners
    cdef unsigned char[::1] spaced
    cdef list texts
    cdef int32_t count
    cdef bint space

    def __init__(self, owners, spaced, list texts):
        self.owners, self.spaced, self.texts = owners, spaced.view(np.uint8), texts

    cdef int read(self, tree.xmlNode* node, tree.xmlNode* first, int32_t owner, bint is_tail) except -1:
        """The text behind a node's opening, or behind its end."""
        cdef str text
        cdef Py_ssize_t length
        while first is not NULL and first.type in (tree.XML_XINCLUDE_START, tree.XML_XINCLUDE_END):
            first = first.next
        if first is NULL or first.type not in (tree.XML_TEXT_NODE, tree.XML_CDATA_SECTION_NODE):
            return 0
        if first.content is NULL or first.content[0] == 0 and first.next is NULL:
            return 0
        if first.next is NULL or first.next.type == tree.XML_ELEMENT_NODE:
            if is_ascii_blank(<const unsigned char*> first.content):
                self.space = True
                return 0
        text = text_behind(node, first, is_tail)
        length = len(text) if text is not None else 0
        if not length:
            return 0
        if not is_blank(text):
            self.owners[self.count] = owner
            self.spaced[self.count] = self.space or text[0].isspace()
            self.texts.append(text)
            self.count += 1
        self.space = text[length - 1].isspace()
        return 0


cdef inline tree.xmlAttr* attribute_of(tree.xmlNode* node, const char* name) noexcept:
    """The element's attribute of this name that is in no namespace."""
    cdef tree.xmlAttr* attribute = node.properties
    while attribute is not NULL:
        if attribute.ns is NULL and strcmp(<const char*> attribute.name, name) == 0:
            return attribute
        attribute = <tree.xmlAttr*> attribute.next
    return NULL


cdef str value_of(tree.xmlNode* node, tree.xmlAttr* attribute):
    """An attribute's value, "" where there is none."""
    cdef tree.xmlNode* text = attribute.children if attribute is not NULL else NULL
    if text is NULL:
        return ""
    if text.next is NULL and text.type == tree.XML_TEXT_NODE and text.content is not NULL:
        return PyUnicode_DecodeUTF8(<const char*> text.content, strlen(<const char*> text.content), NULL)
    return etree.attributeValue(node, attribute)
