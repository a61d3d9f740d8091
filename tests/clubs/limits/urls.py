"""Pages that keep the server busy for as long as they say, beside those of the product."""

import time

from django.http import HttpRequest, HttpResponse
from django.urls import path

from config.urls import urlpatterns as product


def busy(request: HttpRequest, **_names: object) -> HttpResponse:
    """Works for as many milliseconds as `?ms=` says, and sends so many `?bytes=`."""
    end = time.thread_time() + int(request.GET["ms"]) / 1_000
    while time.thread_time() < end:
        pass
    return HttpResponse(b" " * int(request.GET.get("bytes", "0")))


urlpatterns = [
    path("busy/heavy/", busy, name="busy_heavy"),
    path("busy/page/", busy, name="busy_page"),
    path("t/<slug:secret>/busy/", busy, name="busy_table"),
    path("clubs/<slug:slug>/busy/", busy, name="busy_club"),
    *product,
]
