"""HTML tag names as small integers, so that tests of tags are array look-ups.

Code 0 stands for every unlisted name.
"""

import numpy as np
from numpy.typing import NDArray

NAMES: tuple[str, ...] = tuple(
    """
    a abbr acronym address applet area article aside audio b base basefont bdi bdo big blockquote body br button canvas
    caption center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt em embed fieldset
    figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input
    ins kbd label legend li link listing main map mark marquee math menu menuitem meta meter nav nobr noembed noframes
    noscript object ol optgroup option output p param picture plaintext pre progress q rp rt ruby s samp script search
    section select slot small source span strike strong style sub summary sup svg table tbody td template textarea
    tfoot th thead time title tr track tt u ul var video wbr xmp
    """.split()
)
TAG: dict[str, int] = {name: code for code, name in enumerate(NAMES, 1)}

BLOCK_NAMES: tuple[str, ...] = tuple(
    """
    address article aside blockquote body br caption center dd details dialog dir div dl dt fieldset figcaption figure
    footer form frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li listing main menu nav noframes noscript
    ol optgroup option p plaintext pre search section select summary table tbody td tfoot th thead title tr ul xmp
    textarea button iframe video audio canvas object template
    """.split()
)
ATTRIBUTES: tuple[str, ...] = tuple(
    """
    class id style role href title rel itemprop itemtype typeof datetime aria-label name type data-role data-author
    data-username author data-user-name data-author-name indent data-depth data-level data-indent aria-level width height
    """.split()
)
"""Attributes that are often requested together."""
NOTED = (*ATTRIBUTES, "property", "content", "http-equiv", "lang", "alt", "src", "value", "hidden")
"""Attributes that the compiled extension stores while it reads a page, so that they need no tree."""
TOGETHER = {
    name: names
    for names in (
        ("href", "rel", "content", "property", "name", "itemprop", "itemtype", "typeof", "hidden"),
        ("title", "data-role", "data-author", "data-username", "author", "data-user-name", "data-author-name"),
    )
    for name in names
}
"""Attributes that are read in one pass over all attributes of a page, since nearly every page needs all of them if it needs one."""
SILENT_NAMES = ("script", "style", "template", "noembed")


def tag_set(*names: str) -> NDArray[np.bool_]:
    """A table indexed by tag code: True for the given names; KeyError for unlisted names."""
    table = np.zeros(len(NAMES) + 1, dtype=np.bool_)
    table[[TAG[name] for name in names]] = True
    return table


BLOCKS = tag_set(*BLOCK_NAMES)
SILENT = tag_set(*SILENT_NAMES)
