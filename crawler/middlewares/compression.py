"""Scrapy's decompression without guessing the charset of compressed bytes."""

from typing import Any

from scrapy import Request
from scrapy.downloadermiddlewares.httpcompression import HttpCompressionMiddleware
from scrapy.http import Response, TextResponse


class CompressionMiddleware(HttpCompressionMiddleware):
    """Before Scrapy copies a compressed answer, which would detect its encoding, the answer loses its text class."""

    def process_response(self, request: Request, response: Response, spider: Any = None) -> Request | Response:
        """See Scrapy."""
        if isinstance(response, TextResponse) and "Content-Encoding" in response.headers:
            response = Response(**{name: getattr(response, name) for name in Response.attributes})
        return super().process_response(request, response)
