"""The program that opens a table's page again where there is no network."""

from django.http import HttpRequest, HttpResponse
from django.templatetags.static import static
from django.views.decorators.http import require_GET


@require_GET
def table_worker(_request: HttpRequest) -> HttpResponse:
    """The service worker of every table's page; it must stand above them to have them in reach.

    Browsers ask for it anew at each visit; its script's name changes with what is in it.
    """
    script = f'importScripts("{static("tournaments/worker.js")}");\n'
    headers = {"Cache-Control": "no-cache", "Service-Worker-Allowed": "/t/"}
    return HttpResponse(script, content_type="text/javascript", headers=headers)
