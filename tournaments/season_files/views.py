"""A list of a season that takes seconds to make: how far it is, and then the file."""

from collections.abc import Callable
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language

from clubs.files.exports import ListFile, list_bytes, list_file_response
from clubs.http.middleware import network_of
from clubs.limits.table import FILES_MADE
from clubs.limits.work import wait_response
from tournaments.models import Season, SeasonFile
from tournaments.season_files.services import (
    season_file_content,
    season_file_has_stopped,
    season_file_make,
    season_file_start,
)

POLLED_AFTER: Final = 1
FILES: Final = "files of"


def season_list_response(
    request: HttpRequest,
    season: Season,
    *,
    title: str,
    name: str,
    kind: str,
    version: str,
    make: Callable[[], ListFile],
) -> HttpResponse:
    """The list in the format `kind`, as it was made for whoever asked first. Until it is made, a
    page that says so and asks again (202).

    `version` changes whenever something else would stand in it.
    """
    language = get_language() or season.club.language
    what = f"{name} {kind} {language}"[:200]
    is_polling = bool(request.headers.get("HX-Request"))
    content = season_file_content(season=season, what=what, version=version)
    if content is not None and not is_polling:
        return list_file_response(content, name, kind)
    if content is not None:
        return _page(request, season, title, None)
    if not may_make(request):
        return wait_response(request, FILES_MADE.wait)
    file, is_new = season_file_start(season=season, what=what, version=version)
    if is_new:
        FILES_MADE.spend_from(FILES, _network(request), 1)
        season_file_make(file, language, lambda _report: list_bytes(make(), kind))
    return _page(request, season, title, file)


def may_make(request: HttpRequest) -> bool:
    """Whether this address may have another file made."""
    return not FILES_MADE.is_spent_from(FILES, _network(request))


def _network(request: HttpRequest) -> str:
    return network_of(request.META.get("REMOTE_ADDR", ""))


def _page(
    request: HttpRequest, season: Season, title: str, file: SeasonFile | None
) -> HttpResponse:
    """The page with the progress, or only what changes in it for a page that polls."""
    stopped = file is not None and season_file_has_stopped(file)
    context = {
        "club": season.club,
        "season": season,
        "title": title,
        "file": file,
        "stopped": stopped,
        "busy": file is not None and not stopped,
        "address": request.get_full_path(),
    }
    is_polling = bool(request.headers.get("HX-Request"))
    template = "making_live" if is_polling else "making"
    response = render(request, f"tournaments/season_files/{template}.html", context)
    if file is not None:
        response.status_code = 202
        response.headers["Retry-After"] = str(POLLED_AFTER)
    response.headers["Cache-Control"] = "no-store"
    patch_vary_headers(response, ["HX-Request"])
    return response
