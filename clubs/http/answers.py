"""What is done to every answer on its way: the content policy, compression, and how little a 304
says."""

import gzip
import re
import secrets
from collections.abc import Callable
from io import BytesIO

from csp.constants import HEADER
from csp.middleware import CSPMiddleware
from csp.utils import build_policy
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers

WORTH_PACKING = 500
PACKED = re.compile(r"text/|image/svg\+xml|application/([\w.-]+\+)?json")
PADDING = 100
"""Up to so many bytes that say nothing, so that a length tells little of what is in the page."""
OF_UNCHANGED = {"etag", "cache-control", "content-location", "expires", "last-modified", "vary"}
"""What HTTP asks of an answer that says "unchanged": the rest is what the browser has already."""
FROM_OURSELVES = {"", "none", "same-origin"}


class PolicyMiddleware(CSPMiddleware):
    """The content security policy, built once for all answers that have no other one: building it
    took longer than the rest of an empty answer. No page has a nonce."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        super().__init__(get_response)
        self.usual = build_policy()

    def process_request(self, request: HttpRequest) -> None:
        """Nothing: without a nonce there is nothing to prepare."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        if settings.DEBUG or any(name.startswith("_csp_") for name in vars(response)):
            return super().process_response(request, response)
        response.headers.setdefault(HEADER, self.usual)
        return response


class SizeMiddleware:
    """Compresses pages and other texts, and sends with a 304 only what must go with it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code == 304:
            for name in [*response.headers]:
                if name.lower() not in OF_UNCHANGED and name != "Poll-Pause":
                    del response.headers[name]
        elif not response.streaming and PACKED.match(response.headers.get("Content-Type", "")):
            self._pack(request, response)
        return response

    def _pack(self, request: HttpRequest, response: HttpResponse) -> None:
        if response.has_header("Content-Encoding") or len(response.content) < WORTH_PACKING:
            return
        patch_vary_headers(response, ["Accept-Encoding"])
        if not may_pack(request):
            return
        response.content = packed(response.content, padding=secrets.randbelow(PADDING + 1))
        response.headers["Content-Length"] = str(len(response.content))
        response.headers["Content-Encoding"] = "gzip"
        tag = response.headers.get("ETag", "")
        if tag.startswith('"'):
            response.headers["ETag"] = f"W/{tag}"


def may_pack(request: HttpRequest) -> bool:
    """Whether who asks takes gzip; and no other site made a browser ask it in somebody's name, to
    learn from the length of the answer what is in it (BREACH)."""
    asked_by = request.headers.get("Sec-Fetch-Site", "")
    is_own = asked_by in FROM_OURSELVES or not request.COOKIES
    return is_own and takes_gzip(request.headers.get("Accept-Encoding", ""))


def packed(content: bytes, *, padding: int = 0) -> bytes:
    """The content as gzip, with so many bytes more than it takes."""
    file = BytesIO()
    name = "x" * padding
    with gzip.GzipFile(filename=name, mode="wb", compresslevel=5, fileobj=file, mtime=0) as into:
        into.write(content)
    return file.getvalue()


def takes_gzip(accepted: str) -> bool:
    """Whether a value of Accept-Encoding names gzip, and not as what must not be sent.

    >>> takes_gzip("br, GZip;q=0.5"), takes_gzip("gzip;q=0")
    (True, False)
    """
    for coding in accepted.split(","):
        name, _, quality = "".join(coding.split()).lower().partition(";q=")
        if name == "gzip":
            return quality.strip("0.") != "" or not quality
    return False
