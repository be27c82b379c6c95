"""All features of a page by which its kind is classified."""

import numpy as np
from numpy.typing import NDArray

from extractors.article.features.overview import OVERVIEW_NAMES
from extractors.article.judged import judge_blocks
from extractors.article.kinds.url_features import ADDRESS_NAMES, address_features
from extractors.html.document import Document
from extractors.html.markup import MARKUP_NAMES, markup_features
from extractors.html.structure import STRUCTURE_NAMES, structure_features

NAMES = [*ADDRESS_NAMES, *MARKUP_NAMES, *STRUCTURE_NAMES, *OVERVIEW_NAMES]


def kind_features(page: Document) -> NDArray[np.float32]:
    """float32[len(NAMES)]."""
    overview = page.once(judge_blocks).overview
    parts = (
        address_features(page.url),
        page.once(markup_features),
        page.once(structure_features),
        overview if len(overview) else np.zeros(len(OVERVIEW_NAMES)),
    )
    return np.concatenate([np.asarray(part, np.float32) for part in parts])
