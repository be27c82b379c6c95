"""Reads a page's source in one pass by libxml2's parser, without a tree.

The parser calls back at the start and end of each element and for the text between them. The result equals that of
`extractors.html.flat_tree.FlatTree` on lxml's tree of the same source, but needs no memory for each node, name, attribute
and text: only arrays of numbers, and text.

The parser is the one inside lxml, which exports its functions on most systems; without them this module is not used.
"""

from libc.stdint cimport uintptr_t

cdef extern from "libxml/HTMLparser.h" nogil:
    ctypedef unsigned char xmlChar
    ctypedef struct xmlParserCtxt:
        pass
    ctypedef struct xmlSAXHandler:
        void (*startElement)(void*, const xmlChar*, const xmlChar**) noexcept
        void (*endElement)(void*, const xmlChar*) noexcept
        void (*characters)(void*, const xmlChar*, int) noexcept
        void (*ignorableWhitespace)(void*, const xmlChar*, int) noexcept
        unsigned int initialized
    enum:
        HTML_PARSE_RECOVER, HTML_PARSE_NOERROR, HTML_PARSE_NOWARNING, HTML_PARSE_NONET, XML_PARSE_HUGE

cdef enum:
    MAX_DEPTH = 2_000  # as in `extractors.html.parsing`
    AS_TREES_ARE = (HTML_PARSE_RECOVER | HTML_PARSE_NONET | XML_PARSE_HUGE)  # the options of lxml
    SILENTLY = (HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING)

ctypedef xmlParserCtxt* (*NewParser)(const xmlSAXHandler*, void*) noexcept nogil
ctypedef void* (*ReadMemory)(xmlParserCtxt*, const char*, int, const char*, const char*, int) noexcept nogil
ctypedef void (*WithParser)(xmlParserCtxt*) noexcept nogil

cdef NewParser new_parser
cdef ReadMemory read_memory
cdef WithParser free_parser, stop_parser


cdef struct Opened:
    # an element; texts are numbered in the order in which they are stored, including blank ones
    int32_t parent
    int32_t depth
    int32_t end
    int32_t first_text
    int32_t last_text
    int16_t tag
    bint is_link


cdef struct Gathered:
    # a text that is not only ASCII white space, or is in code: the element that owns it, the number of elements before
    # its end, where its bytes are, whether white space comes before it
    int32_t owner
    int32_t begun
    int32_t begin
    int32_t length
    bint spaced
    bint is_code


cdef struct Gathering:
    Names tags
    Names attributes
    Notes notes
    Opened* elements
    Py_ssize_t number
    Py_ssize_t room
    Gathered* texts
    Py_ssize_t several
    Py_ssize_t text_room
    char* bytes  # of the texts, including the current one
    Py_ssize_t used
    Py_ssize_t byte_room
    Py_ssize_t begun
    bint spaced
    int32_t linked_data  # the last script with linked data
    int32_t[MAX_DEPTH] opened
    int depth
    int codes  # open `pre` elements
    Py_ssize_t limit
    bint given_up
    xmlParserCtxt* parser


cdef bint find_parser():
    """Whether lxml exports all functions of the parser, in a version whose trees are known to match these events."""
    global new_parser, read_memory, free_parser, stop_parser
    if LIBXML_VERSION < (2, 14) or LIBXML_VERSION >= (3,):
        return False
    try:
        library = CDLL(etree.__file__)
        new_parser = <NewParser> <uintptr_t> address(library.htmlNewSAXParserCtxt, c_void_p).value
        read_memory = <ReadMemory> <uintptr_t> address(library.htmlCtxtReadMemory, c_void_p).value
        free_parser = <WithParser> <uintptr_t> address(library.htmlFreeParserCtxt, c_void_p).value
        stop_parser = <WithParser> <uintptr_t> address(library.xmlStopParser, c_void_p).value
    except (AttributeError, OSError):
        return False
    return True


cdef bint _CAN_READ = find_parser()


cdef int give_up(Gathering* all) noexcept nogil:
    if not all.given_up:
        all.given_up = True
        stop_parser(all.parser)
    return 0


cdef void begin_element(void* gathering, const xmlChar* name, const xmlChar** attributes) noexcept nogil:
    cdef Gathering* all = <Gathering*> gathering
    cdef Opened* element
    cdef void* elements
    cdef bint behind = all.depth == 0 and all.number > 0  # after the end of the root, whose last child it becomes
    if all.given_up:
        return
    end_text(all)
    if all.number == all.limit or all.depth + 1 >= MAX_DEPTH:
        give_up(all)
        return
    elements = more_of(all.elements, &all.room, all.number + 1, sizeof(Opened))
    if elements is NULL:
        give_up(all)
        return
    all.elements = <Opened*> elements
    element = &all.elements[all.number]
    element.tag = number_of(<const char*> name, &all.tags, &_TAGS)
    element.parent = 0 if behind else all.opened[all.depth - 1] if all.depth else -1
    element.depth = all.elements[element.parent].depth + 1 if element.parent >= 0 else 0
    element.first_text, element.is_link = <int32_t> all.several, False
    all.opened[all.depth] = <int32_t> all.number
    all.depth += 1
    all.codes += element.tag == _PRE
    all.number += 1
    if element.tag == 0 and put_down(&all.notes, all.number - 1, TAG_NAME, <const char*> name, strlen(<const char*> name)) < 0:
        give_up(all)
    elif attributes is not NULL and note_attributes(all, element, attributes) < 0:
        give_up(all)
    elif all.linked_data == all.number - 1 and put_down(&all.notes, all.linked_data, LINKED_DATA, b"", 0) < 0:
        give_up(all)


cdef int note_attributes(Gathering* all, Opened* element, const xmlChar** attributes) noexcept nogil:
    cdef const char* name
    cdef const char* value
    cdef const char* nothing = b""
    cdef int16_t which
    while attributes[0] is not NULL:
        name = <const char*> attributes[0]
        value = <const char*> attributes[1] if attributes[1] is not NULL else nothing
        attributes += 2
        which = number_of(name, &all.attributes, &_ATTRIBUTES)
        if which == _HREF and element.tag == _LINK:
            element.is_link = True
        if which == _TYPE and element.tag == _SCRIPT and strstr(value, b"ld+json") is not NULL:
            all.linked_data = <int32_t> all.number - 1
        if which == 0:
            if not is_data_id(name):
                continue
            if put_down(&all.notes, all.number - 1, DATA_NAME, name, strlen(name)) < 0:
                return -1
            which = DATA_VALUE
        if put_down(&all.notes, all.number - 1, which, value, strlen(value)) < 0:
            return -1
    return 0


cdef void end_element(void* gathering, const xmlChar* name) noexcept nogil:
    cdef Gathering* all = <Gathering*> gathering
    cdef Opened* element
    if all.given_up or not all.depth:
        return
    end_text(all)
    all.depth -= 1
    element = &all.elements[all.opened[all.depth]]
    element.end, element.last_text = <int32_t> all.number, <int32_t> all.several
    all.codes -= element.tag == _PRE


cdef void add_text(void* gathering, const xmlChar* text, int length) noexcept nogil:
    cdef Gathering* all = <Gathering*> gathering
    cdef void* bytes
    if all.given_up or not all.depth:
        return
    if _IS_SILENT[all.elements[all.opened[all.depth - 1]].tag]:
        if note_silent_text(all, all.opened[all.depth - 1], <const char*> text, length) < 0:
            give_up(all)
        return
    bytes = more_of(all.bytes, &all.byte_room, all.used + length + 1, 1) if all.used + length < 0x7FFFFFFF else NULL
    if bytes is NULL:
        give_up(all)
        return
    all.bytes = <char*> bytes
    memcpy(all.bytes + all.used, text, length)
    all.used += length


cdef int note_silent_text(Gathering* all, int32_t place, const char* text, int length) noexcept nogil:
    """Store the content of linked data, and for other scripts only whether they have content; −1 without memory."""
    cdef Value* last
    if place == all.linked_data:
        return go_on(&all.notes, text, length)
    if all.elements[place].tag != _SCRIPT:
        return 0
    last = &all.notes.values[all.notes.number - 1] if all.notes.number else NULL
    if last is not NULL and last.place == place and last.name == SCRIPT:
        return 0
    return put_down(&all.notes, place, SCRIPT, b"", 0)


cdef void end_text(Gathering* all) noexcept nogil:
    """Handle the start or end of an element: the characters since the last one are one text."""
    cdef Gathered* text
    cdef void* texts
    if all.used == all.begun:
        return
    all.bytes[all.used] = 0
    if not all.codes and is_ascii_blank(<const unsigned char*> all.bytes + all.begun):
        all.used, all.spaced = all.begun, True
        return
    texts = more_of(all.texts, &all.text_room, all.several + 1, sizeof(Gathered))
    if texts is NULL:
        give_up(all)
        return
    all.texts = <Gathered*> texts
    text = &all.texts[all.several]
    text.owner, text.begin = all.opened[all.depth - 1], <int32_t> all.begun
    text.length, text.spaced = <int32_t> (all.used - all.begun), all.spaced
    text.begun, text.is_code = <int32_t> all.number, all.codes > 0
    all.several += 1
    all.begun, all.spaced = all.used, False


cdef int gather(Gathering* all, const char* begin, int length) noexcept nogil:
    """Parse the source; −1 if it was not read to its end."""
    cdef xmlSAXHandler handlers
    memset(&handlers, 0, sizeof(handlers))
    handlers.initialized = 1
    handlers.startElement, handlers.endElement = begin_element, end_element
    handlers.characters = handlers.ignorableWhitespace = add_text
    all.parser = new_parser(&handlers, all)
    if all.parser is NULL:
        return -1
    read_memory(all.parser, begin, length, NULL, b"utf-8", AS_TREES_ARE | SILENTLY)
    free_parser(all.parser)
    while all.depth and not all.given_up:
        end_element(all, NULL)
    return -1 if all.given_up or not all.number else 0


def flatten(source, Py_ssize_t limit):
    cdef NativeFlatTree flat = None if source.is_parsed else read_source(source, source.written, limit)
    return kernels.forms["flatten"].numpy(source, limit) if flat is None else flat


def read_source(source, bytes written, Py_ssize_t limit):
    """The `NativeFlatTree` of `written`, UTF-8 without NUL, whose tree is source.root. None if it has more elements than the
    limit, reaches the parser's depth limit, or has no element; and without a parser."""
    cdef Gathering* all
    cdef NativeFlatTree flat = None
    cdef const char* begin = written
    cdef Py_ssize_t length = len(written)
    cdef int outcome
    if length >= 0x7FFFFFFF or not _CAN_READ:
        return None
    all = <Gathering*> malloc(sizeof(Gathering))
    if all is NULL:
        raise MemoryError()
    memset(all, 0, sizeof(Gathering))
    all.limit, all.linked_data = limit, -1
    try:
        with nogil:
            outcome = gather(all, begin, <int> length)
        if outcome == 0:
            flat = flat_tree_of(all, source)
    finally:
        for pointer in (<uintptr_t> all.elements, <uintptr_t> all.texts, <uintptr_t> all.bytes):
            free(<void*> <uintptr_t> pointer)
        free(all.notes.bytes)
        free(all.notes.values)
        free(all)
    return flat
