"""One walk over an lxml tree that fills the plain lists from which `extractors.columns` makes arrays."""

from lxml import etree

from extractors.tags import SILENT, TAG

_SILENT_CODES = frozenset(int(code) for code in SILENT.nonzero()[0])
_NOT_AN_ELEMENT = -1


class Flattening:
    """The tree's elements and texts in document order.

    Attributes (N elements, M texts that are not blank):
        elements, tags, parents, depths, ends: lists of N; `ends[i]` is one past the last descendant of i.
        chunk_starts, chunk_ends: lists of N; the texts inside i are `chunk_starts[i] … chunk_ends[i] - 1`.
        texts, owners, spaced: lists of M; the text, the element whose direct content it is, and whether white space
            stands before it.
    """

    def __init__(self, root: etree._Element, limit: int) -> None:
        self.elements: list[etree._Element] = []
        self.tags: list[int] = []
        self.parents: list[int] = []
        self.depths: list[int] = []
        self.ends: list[int] = []
        self.chunk_starts: list[int] = []
        self.chunk_ends: list[int] = []
        self.texts: list[str] = []
        self.owners: list[int] = []
        self.spaced: list[bool] = []
        self._space = False
        self._open_nodes: list[etree._Element | None] = [root.getparent()]
        self._open_numbers: list[int] = [_NOT_AN_ELEMENT]
        self._walk(root, limit)

    def _walk(self, root: etree._Element, limit: int) -> None:
        nodes, numbers, elements = self._open_nodes, self._open_numbers, self.elements
        tags, parents, depths, starts = self.tags, self.parents, self.depths, self.chunk_starts
        ends, chunk_ends, texts = self.ends, self.chunk_ends, self.texts
        code_of, add, close, silent = TAG.get, self._add, self._close, _SILENT_CODES
        number = 0
        for node in root.iter():
            parent = node.getparent()
            while nodes[-1] is not parent:
                close()
            name = node.tag
            nodes.append(node)
            if not isinstance(name, str):  # a comment or an instruction: only its tail is text
                numbers.append(_NOT_AN_ELEMENT)
                continue
            if number >= limit:
                nodes.pop()
                break
            code = code_of(name, 0)
            elements.append(node)
            tags.append(code)
            parents.append(numbers[-1])
            depths.append(len(numbers) - 1)
            starts.append(len(texts))
            ends.append(0)
            chunk_ends.append(0)
            numbers.append(number)
            text = node.text
            if text is not None and code not in silent:
                add(text, number)
            number += 1
        while len(nodes) > 1:
            close()

    def _add(self, text: str, owner: int) -> None:
        if text.isspace():
            self._space = True
        elif text:
            self.texts.append(text)
            self.owners.append(owner)
            self.spaced.append(self._space or text[0].isspace())
            self._space = text[-1].isspace()

    def _close(self) -> None:
        """The innermost open node is complete: note where it ended, then take the text that follows it."""
        node = self._open_nodes.pop()
        number = self._open_numbers.pop()
        if number >= 0:
            self.ends[number] = len(self.elements)
            self.chunk_ends[number] = len(self.texts)
        tail = None if node is None else node.tail
        if tail is not None:
            owner = self._open_numbers[-1]
            if owner >= 0 and self.tags[owner] not in _SILENT_CODES:
                self._add(tail, owner)
