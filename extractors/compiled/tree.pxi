"""A tree read in one walk over libxml2's nodes, without a Python object for each.

What is found is what `extractors.flattening.Flattening` finds, array by array. No pointer to a node is kept: an element
that is asked for later is looked for again from the root, so that a tree which was changed meanwhile does no harm.
"""

cimport lxml.includes.etreepublic as etree
from cpython.unicode cimport PyUnicode_DATA, PyUnicode_DecodeUTF8, PyUnicode_GET_LENGTH, PyUnicode_KIND, PyUnicode_READ
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcmp, memcpy, memset, strcmp, strlen, strncmp
from lxml.includes cimport tree

from extractors.tags import ATTRIBUTES, SILENT, TAG

etree.import_lxml__etree()

cdef extern from "libxml/xmlversion.h":
    const int LIBXML_VERSION

cdef enum:
    SLOTS = 512
    NOTED = 4  # class, id, style, role

# not known outside: no page is made so that its hashes fall on one another
cdef uint64_t _HASHING = int.from_bytes(os.urandom(8), "little") | 1
_NOTED = {name.encode(): number for number, name in enumerate(ATTRIBUTES, 1)}  # the first four class, id, style, role
_CODES = {name.encode(): code for name, code in TAG.items()}
cdef int16_t _LINK = TAG["a"]
cdef bint[512] _IS_SILENT
for _place in range(512):
    _IS_SILENT[_place] = _place < len(SILENT) and bool(SILENT[_place])


def libxml_major():
    """The first number of the libxml2 whose layout of nodes this was built for."""
    return LIBXML_VERSION // 10000


cdef struct Names:
    # names of elements and attributes are written once for a document: where one stands tells which it is
    const char* name[SLOTS]
    int16_t code[SLOTS]
    int filled


cdef int16_t code_of(tree.xmlNode* node, Names* names) except -2:
    """The code of an element's tag, 0 for one that is not listed."""
    if node.ns is not NULL and node.ns.href is not NULL:
        return 0
    return number_of(<const char*> node.name, names, _CODES)


cdef int16_t number_of(const char* name, Names* names, dict numbers) except -2:
    """The number of a name, 0 for one that has none."""
    cdef size_t slot = ((<size_t> name) >> 3 ^ (<size_t> name) >> 12) % SLOTS
    while names.name[slot] is not NULL:
        if names.name[slot] is name:
            return names.code[slot]
        slot = (slot + 1) % SLOTS
    cdef int16_t code = numbers.get(<bytes> name, 0)
    if names.filled < SLOTS // 2:
        names.name[slot] = name
        names.code[slot] = code
        names.filled += 1
    return code


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


cdef inline bint is_ascii_blank(const unsigned char* text) noexcept:
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

    cdef etree._Element _root
    cdef int32_t[::1] _ends
    cdef Py_ssize_t _number
    cdef Py_ssize_t _steps
    cdef dict _made
    cdef list _all

    def __init__(self, etree._Element root not None, int32_t[::1] ends):
        self._root = root
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
        cdef tree.xmlNode* node = self._root._c_node
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
        return etree.elementFactory(self._root._doc, node)

    cdef list _every(self):
        if self._all is None:
            self._all = self._walk()
            self._made.clear()
        return self._all

    cdef list _walk(self):
        cdef tree.xmlNode* node = self._root._c_node
        cdef list found = []
        cdef Py_ssize_t place
        for place in range(self._number):
            if node is NULL:
                raise LookupError("the tree was changed after its columns were made")
            element = self._made.get(place)
            found.append(etree.elementFactory(self._root._doc, node) if element is None else element)
            node = next_element(node, self._root._c_node)
        return found


cdef struct Value:
    # an attribute's: of which element, which one, and where its bytes are
    int32_t place
    int32_t begin
    int32_t length
    int16_t name


cdef class Flattening:
    """See `extractors.flattening.Flattening`: the same attributes and methods, the same values."""

    cdef readonly object tags, parents, depths, ends, chunk_starts, chunk_ends, owners, spaced, elements, links
    cdef readonly list texts
    cdef etree._Element _root
    cdef Py_ssize_t _number
    cdef dict _data_ids  # by place names and values of attributes that begin with data- and end with id
    # what `pairs` is asked for most is noted while the nodes are at hand: by element and attribute (see `noted`) where its
    # bytes begin in `_bytes`, and how many they are, −1 where it is absent
    cdef int32_t[:, ::1] _begins, _long
    cdef char* _bytes
    cdef Py_ssize_t _used, _room
    cdef Value* _values  # of all attributes in `_NOTED`, in document order
    cdef Py_ssize_t _valued, _value_room

    def __cinit__(self):
        self._used, self._room = 0, 4096
        self._bytes = <char*> malloc(self._room)
        self._valued, self._value_room = 0, 512
        self._values = <Value*> malloc(self._value_room * sizeof(Value))
        if self._bytes is NULL or self._values is NULL:
            raise MemoryError()

    def __dealloc__(self):
        free(self._bytes)
        free(self._values)

    def __init__(self, etree._Element root not None, Py_ssize_t limit):
        if self._root is not None:
            raise ValueError("a tree is read once")
        self._root = root
        elements, nodes, texts = self._count(limit)
        self._number = elements
        self.tags = np.empty(elements, np.int16)
        self.parents, self.depths, self.ends = (np.empty(elements, np.int32) for _ in range(3))
        self.chunk_starts, self.chunk_ends = np.empty(elements, np.int32), np.empty(elements, np.int32)
        self.owners, self.spaced = np.empty(texts, np.int32), np.empty(texts, np.bool_)
        self.links = np.zeros(elements, np.bool_)
        self._begins, self._long = np.empty((elements, NOTED), np.int32), np.full((elements, NOTED), -1, np.int32)
        self.texts = []
        self._data_ids = {}
        if elements:
            self._read(nodes)
        self.owners, self.spaced = self.owners[: len(self.texts)], self.spaced[: len(self.texts)]
        self.elements = Elements(root, self.ends)

    cdef tuple _count(self, Py_ssize_t limit):
        """How many elements and nodes are read, and how many texts these have at most."""
        cdef tree.xmlNode* root = self._root._c_node
        cdef tree.xmlNode* node = root
        cdef Py_ssize_t elements = 0, nodes = 0
        while node is not NULL and nodes < 2 * limit:
            if node.type == tree.XML_ELEMENT_NODE:
                if elements == limit:
                    break
                elements += 1
            nodes += 1
            node = self._next(node, root)
        return elements, nodes, 2 * nodes

    cdef inline tree.xmlNode* _next(self, tree.xmlNode* node, tree.xmlNode* root) noexcept:
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

    cdef int _read(self, Py_ssize_t nodes) except -1:
        cdef int16_t[::1] tags = self.tags
        cdef int32_t[::1] parents = self.parents, depths = self.depths, ends = self.ends
        cdef int32_t[::1] starts = self.chunk_starts, stops = self.chunk_ends
        cdef unsigned char[::1] links = self.links.view(np.uint8)
        cdef int32_t at = -1, number = 0, depth = 0
        cdef Names names, attributes
        cdef tree.xmlNode* root = self._root._c_node
        cdef tree.xmlNode* node = root
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

    cdef int _note(self, tree.xmlNode* node, Py_ssize_t number, Names* names) except -1:
        """Puts down the values of an element's attributes that are asked for."""
        cdef tree.xmlAttr* attribute = node.properties
        cdef tree.xmlNode* text
        cdef bytes written
        cdef int16_t which
        while attribute is not NULL:
            which = number_of(<const char*> attribute.name, names, _NOTED) if attribute.ns is NULL else 0
            if not which and attribute.ns is NULL and is_data_id(<const char*> attribute.name):
                self._data_ids.setdefault(number, []).append(
                    ((<bytes> attribute.name).decode(), value_of(node, attribute))
                )
            elif which:
                text = attribute.children
                if text is NULL:
                    self._keep(number, which, b"", 0)
                elif text.next is NULL and text.type == tree.XML_TEXT_NODE and text.content is not NULL:
                    self._keep(number, which, <const char*> text.content, strlen(<const char*> text.content))
                else:
                    written = value_of(node, attribute).encode()
                    self._keep(number, which, written, len(written))
            attribute = <tree.xmlAttr*> attribute.next
        return 0

    cdef int _keep(self, Py_ssize_t number, int16_t which, const char* text, Py_ssize_t length) except -1:
        cdef char* more
        cdef Value* values
        if self._used + length > 0x7FFFFFFF:
            raise MemoryError("attributes of more than two gigabytes")
        if self._used + length > self._room:
            self._room = 2 * (self._used + length) + 4096
            more = <char*> realloc(self._bytes, self._room)
            if more is NULL:
                raise MemoryError()
            self._bytes = more
        if self._valued == self._value_room:
            self._value_room *= 2
            values = <Value*> realloc(self._values, self._value_room * sizeof(Value))
            if values is NULL:
                raise MemoryError()
            self._values = values
        if length:
            memcpy(self._bytes + self._used, text, length)
        values = &self._values[self._valued]
        values.place, values.name = <int32_t> number, which
        values.begin, values.length = <int32_t> self._used, <int32_t> length
        if which <= NOTED and self._long[number, which - 1] < 0:
            self._begins[number, which - 1], self._long[number, which - 1] = values.begin, values.length
        self._valued += 1
        self._used += length
        return 0

    def attribute(self, str name):
        """The attribute's value for each element, "" where it is absent."""
        cdef list found = []
        cdef bytes wanted = name.encode()
        cdef tree.xmlNode* node = self._root._c_node
        cdef tree.xmlAttr* attribute
        cdef Py_ssize_t place
        for place in range(self._number):
            attribute = attribute_of(node, wanted) if node is not NULL else NULL
            found.append(value_of(node, attribute))
            node = next_element(node, self._root._c_node) if node is not NULL else NULL
        return found

    def has_attribute(self, str name):
        """bool: whether each element has this attribute."""
        found = np.zeros(self._number, np.bool_)
        cdef unsigned char[::1] marks = found.view(np.uint8)
        cdef bytes wanted = name.encode()
        cdef tree.xmlNode* node = self._root._c_node
        cdef Py_ssize_t place
        for place in range(self._number):
            if node is NULL:
                break
            marks[place] = attribute_of(node, wanted) is not NULL
            node = next_element(node, self._root._c_node)
        return found

    def sparse(self, names):
        """A dict for each name: by place the attribute's values, of the elements that have it."""
        if all(name.encode() in _NOTED for name in names):
            return self._noted(names)
        cdef list found = [{} for _ in names]
        cdef dict numbers = {name.encode(): number for number, name in enumerate(names, 1)}
        cdef Names known
        cdef tree.xmlNode* node = self._root._c_node
        cdef tree.xmlAttr* attribute
        cdef Py_ssize_t place
        cdef int16_t number
        memset(&known, 0, sizeof(known))
        for place in range(self._number):
            if node is NULL:
                break
            attribute = node.properties
            while attribute is not NULL:
                if attribute.ns is NULL:
                    number = number_of(<const char*> attribute.name, &known, numbers)
                    if number:
                        (<dict> found[number - 1])[place] = value_of(node, attribute)
                attribute = <tree.xmlAttr*> attribute.next
            node = next_element(node, self._root._c_node)
        return found

    def data_ids(self, Py_ssize_t place):
        """Names and values of an element's attributes whose names begin with data- and end with id."""
        return self._data_ids.get(place, [])

    cdef list _noted(self, names):
        """The dicts of attributes that were put down."""
        cdef list found = [{} for _ in names]
        cdef int16_t[64] wanted
        cdef Py_ssize_t number
        cdef Value* value
        for number in range(64):
            wanted[number] = -1
        for number, name in enumerate(names):
            wanted[_NOTED[name.encode()]] = <int16_t> number
        for number in range(self._valued):
            value = &self._values[number]
            if wanted[value.name] >= 0:
                (<dict> found[wanted[value.name]])[value.place] = PyUnicode_DecodeUTF8(
                    self._bytes + value.begin, value.length, NULL
                )
        return found

    def pairs(self, str first, str second, asked):
        """The different pairs of two attributes' values among the elements that are asked, bool[N], first come first;
        and which of them each of these has, int64."""
        cdef const unsigned char[::1] marks = asked.view(np.uint8)
        if marks.shape[0] != self._number:
            raise ValueError("it must be said of every element whether it is asked")
        which = np.empty(np.count_nonzero(asked), np.int64)
        cdef int64_t[::1] numbers = which
        cdef bytes one = first.encode(), other = second.encode()
        cdef Pairs known = Pairs(which.shape[0])
        cdef tree.xmlNode* node = self._root._c_node
        cdef Py_ssize_t place, at = 0
        cdef int one_noted = noted(one), other_noted = noted(other)
        if one_noted >= 0 and other_noted >= 0:
            for place in range(self._number):
                if marks[place]:
                    numbers[at] = self._noted_pair(place, one_noted, other_noted, known)
                    at += 1
            return known.found, which
        for place in range(self._number):
            if marks[place]:
                numbers[at] = known.number(node, one, other)
                at += 1
            node = next_element(node, self._root._c_node) if node is not NULL else NULL
        return known.found, which


    cdef int64_t _noted_pair(self, Py_ssize_t place, int one, int other, Pairs known) except -1:
        cdef Pair pair
        cdef bint nothing = self._long[place, one] < 0 and self._long[place, other] < 0
        if nothing and known._none >= 0:
            return known._none
        pair.first = self._bytes + (self._begins[place, one] if self._long[place, one] > 0 else 0)
        pair.first_length = max(self._long[place, one], 0)
        pair.second = self._bytes + (self._begins[place, other] if self._long[place, other] > 0 else 0)
        pair.second_length = max(self._long[place, other], 0)
        return known.look_up(&pair, nothing)


cdef inline bint is_data_id(const char* name) noexcept:
    cdef size_t length
    if name[0] != c"d" or strncmp(name, b"data-", 5) != 0:
        return False
    length = strlen(name)
    return length > 6 and name[length - 2] == c"i" and name[length - 1] == c"d"


cdef inline int noted(const char* name) noexcept:
    """Which of the attributes that are noted this is, −1 for another."""
    if name[0] == c"c":
        return 0 if strcmp(name, b"class") == 0 else -1
    if name[0] == c"i":
        return 1 if name[1] == c"d" and name[2] == 0 else -1
    if name[0] == c"s":
        return 2 if strcmp(name, b"style") == 0 else -1
    return 3 if name[0] == c"r" and strcmp(name, b"role") == 0 else -1


cdef struct Pair:
    const char* first
    const char* second
    Py_ssize_t first_length
    Py_ssize_t second_length


cdef class Pairs:
    """Pairs of values, each with a number from 0 on; looked up by their bytes, which stay where they are."""

    cdef list found
    cdef list _kept  # what is not written in one piece
    cdef object _slots, _pairs
    cdef int32_t[::1] _slot  # numbers by hash, −1 where there is none
    cdef Pair* _pair
    cdef size_t _mask
    cdef int64_t _none  # the number of the elements that have neither attribute

    def __init__(self, Py_ssize_t most):
        cdef size_t room = 16
        while room < 2 * <size_t> most:
            room *= 2
        self.found, self._kept, self._none = [], [], -1
        self._slots, self._pairs = np.full(room, -1, np.int32), np.empty((most + 1) * sizeof(Pair), np.uint8)
        self._slot, self._mask = self._slots, room - 1
        cdef unsigned char[::1] pairs = self._pairs
        self._pair = <Pair*> &pairs[0]

    cdef int64_t number(self, tree.xmlNode* node, const char* one, const char* other) except -1:
        cdef tree.xmlAttr* first = attribute_of(node, one) if node is not NULL else NULL
        cdef tree.xmlAttr* second = attribute_of(node, other) if node is not NULL else NULL
        cdef bint nothing = first is NULL and second is NULL
        if nothing and self._none >= 0:
            return self._none
        cdef Pair pair
        pair.first = self._bytes(node, first, &pair.first_length)
        pair.second = self._bytes(node, second, &pair.second_length)
        return self.look_up(&pair, nothing)

    cdef int64_t look_up(self, const Pair* pair, bint nothing) except -1:
        """The pair's number, a new one for one that was not seen; `nothing` is that of elements without either."""
        cdef uint64_t hashed = mixed(pair.first, pair.first_length, 1)
        cdef size_t slot = mixed(pair.second, pair.second_length, hashed) & self._mask
        cdef int32_t number = self._slot[slot]
        while number >= 0 and not same(&self._pair[number], pair):
            slot = (slot + 1) & self._mask
            number = self._slot[slot]
        if number < 0:
            number = <int32_t> len(self.found)
            self._slot[slot], self._pair[number] = number, pair[0]
            self.found.append((
                PyUnicode_DecodeUTF8(pair.first, pair.first_length, NULL),
                PyUnicode_DecodeUTF8(pair.second, pair.second_length, NULL),
            ))
        if nothing:
            self._none = number
        return number

    cdef const char* _bytes(self, tree.xmlNode* node, tree.xmlAttr* attribute, Py_ssize_t* length) except NULL:
        """Where a value's bytes stand, and how many they are."""
        cdef tree.xmlNode* text = attribute.children if attribute is not NULL else NULL
        cdef bytes written
        if text is NULL:
            length[0] = 0
            return b""
        if text.next is NULL and text.type == tree.XML_TEXT_NODE and text.content is not NULL:
            length[0] = strlen(<const char*> text.content)
            return <const char*> text.content
        written = value_of(node, attribute).encode()
        self._kept.append(written)
        length[0] = len(written)
        return written


cdef inline bint same(const Pair* one, const Pair* other) noexcept:
    return (
        one.first_length == other.first_length and one.second_length == other.second_length
        and memcmp(one.first, other.first, one.first_length) == 0
        and memcmp(one.second, other.second, one.second_length) == 0
    )


cdef inline uint64_t mixed(const char* text, Py_ssize_t length, uint64_t hashed) noexcept:
    """A hash that nobody outside can foretell."""
    cdef uint64_t some
    hashed = (hashed ^ <uint64_t> length) * _HASHING
    while length > 0:
        some = 0
        memcpy(&some, text, 8 if length > 8 else length)
        hashed = (hashed ^ some) * _HASHING
        hashed ^= hashed >> 32
        text += 8
        length -= 8
    return hashed ^ hashed >> 29


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
