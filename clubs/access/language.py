"""The language of a page: the reader's choice, else Dutch; on a club's pages the club's."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation


class LanguageMiddleware:
    """Activates the language of the reader's cookie, else the default.

    The browser's preference is ignored: many Dutch volunteers have an English browser.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with translation.override(chosen_language(request) or settings.LANGUAGE_CODE):
            request.LANGUAGE_CODE = translation.get_language()
            response = self.get_response(request)
            response.headers.setdefault("Content-Language", translation.get_language() or "nl")
            return response


def chosen_language(request: HttpRequest) -> str | None:
    """The language this reader chose with the switch, or None."""
    chosen = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME)
    return chosen if chosen in dict(settings.LANGUAGES) else None
