"""The pages of the manual, which everybody may read."""

from urllib.parse import urlsplit

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from tournaments.manual.chapters import CHAPTERS, chapter_template, sections_of
from tournaments.manual.search import manual_search

LONGEST_QUERY = 200


@require_safe
def manual_home(request: HttpRequest) -> HttpResponse:
    """The chapters with their sections; with `q`, where these words are found."""
    language = get_language() or "nl"
    query = request.GET.get("q", "").replace("\0", "")[:LONGEST_QUERY].strip()
    contents = [(chapter, sections_of(language, chapter.slug)) for chapter in CHAPTERS]
    hits = manual_search(language, query)
    context = {"contents": contents, "query": query, "hits": hits, "chapters": CHAPTERS}
    return render(request, "tournaments/manual/home.html", context | {"back": _came_from(request)})


@require_safe
def manual_chapter(request: HttpRequest, chapter: str) -> HttpResponse:
    """One chapter, to read and to print."""
    language = get_language() or "nl"
    here = next((known for known in CHAPTERS if known.slug == chapter), None)
    if here is None:
        raise Http404
    context = {
        "chapter": here,
        "text": chapter_template(language, here.slug),
        "sections": sections_of(language, here.slug),
        "chapters": CHAPTERS,
        "back": _came_from(request),
    }
    return render(request, "tournaments/manual/chapter.html", context)


def _came_from(request: HttpRequest) -> str:
    """The page of ours that led here, unless it is the manual itself; else empty."""
    address = urlsplit(request.headers.get("Referer", ""))
    path = f"{address.path}?{address.query}" if address.query else address.path
    is_ours = address.netloc == request.get_host() and path.startswith("/")
    if not is_ours or path.startswith(reverse("manual_home")):
        return ""
    return path if url_has_allowed_host_and_scheme(path, allowed_hosts=None) else ""
