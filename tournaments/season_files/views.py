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
from clubs.limits.work import heavy_seconds_to_wait, wait_response, work_charged
from tournaments.models import Season, SeasonFile
from tournaments.season_files.services import (
    season_file_content,
    season_file_has_stopped,
    season_file_make,
    season_file_present,
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
    file = season_file_present(season=season, what=what, version=version)
    if file is None:
        network = network_of(request.META.get("REMOTE_ADDR", ""))
        if wait := _seconds_to_wait(network):
            return wait_response(request, wait)
        file, is_new = season_file_start(season=season, what=what, version=version)
        if is_new:
            FILES_MADE.spend_from(FILES, network, 1)
            season_file_make(file, language, lambda _report: _made(network, make, kind))
    return _page(request, season, title, file)


def _made(network: str, make: Callable[[], ListFile], kind: str) -> bytes:
    with work_charged(network):
        return list_bytes(make(), kind)


def _seconds_to_wait(network: str) -> int:
    """Until somebody of this network may have another file made; 0 when they may."""
    if FILES_MADE.is_spent_from(FILES, network):
        return FILES_MADE.wait
    return heavy_seconds_to_wait(network)


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
