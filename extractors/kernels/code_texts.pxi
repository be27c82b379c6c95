"""The unchanged text of code; see `extractors.article.plain_text`."""

cdef enum:
    SILENT_ROLE = 1
    BREAK_ROLE = 2
    CELL_ROLE = 3
    LINE_ROLE = 4


cdef class CodeText:
    """The text so far, and the separator before the next text."""

    cdef list parts
    cdef str indent
    cdef bint break_due, at_start
    cdef int unread

    def __cinit__(self):
        self.parts, self.indent, self.at_start = [], "", True

    cdef void edge(self, unsigned char role, bint starts, bint is_home):
        """An element begins or ends."""
        if role == SILENT_ROLE:
            self.unread += 1 if starts else -1
        elif role == BREAK_ROLE:
            if starts:
                self.parts.append("\n")
                self.break_due, self.at_start = False, True
        elif role == CELL_ROLE:
            if starts and not self.at_start and not self.break_due:
                self.parts.append("\t")
        elif role == LINE_ROLE and not is_home:
            self.break_due, self.indent = not self.at_start, ""

    cdef void add(self, str text):
        """A text follows."""
        if not text or self.unread:
            return
        if self.break_due:
            if not text.strip(" \t"):
                self.indent += text
                return
            if not text.lstrip(" \t").startswith(("\r", "\n")):
                self.parts.append("\n" + self.indent)
        self.parts.append(text)
        self.break_due, self.indent = False, ""
        self.at_start = text.rstrip(" \t").endswith("\n") or self.at_start and not text.strip()


def code_text(
    const int16_t[::1] tag, const int32_t[::1] parent, const int32_t[::1] end, dict texts, const unsigned char[::1] roles,
    Py_ssize_t home
):
    cdef Py_ssize_t place, within = -1
    cdef CodeText written = CodeText()
    for place in range(home, end[home] + 1):
        while within >= home and end[within] <= place:
            written.edge(roles[tag[within]], False, within == home)
            if within == home:
                within = -1
                break
            written.add(<str> texts.get((parent[within], place)))
            within = parent[within]
        if place < end[home]:
            within = place
            written.edge(roles[tag[place]], True, place == home)
            written.add(<str> texts.get((place, place + 1)))
    return "".join(written.parts)
