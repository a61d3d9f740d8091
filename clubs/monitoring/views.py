"""Where browsers report what the content security policy blocked."""

from collections.abc import Callable

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from clubs.http.middleware import network_of
from clubs.limits.table import REPORTS, REPORTS_OF_ONE
from clubs.measurements.counters import CSP_REPORTS
from clubs.monitoring.csp_reports import reports_add, reports_read

LARGEST = 20_000
"""Bytes of one request: browsers send less than two thousand for each report."""
FORMATS = "application/csp-report", "application/reports+json"


@csrf_exempt
@require_POST
def csp_report(request: HttpRequest) -> HttpResponse:
    """Count the reports in the body; whoever sends them is not looked at but for the limit."""
    status, outcome = _taken(request)
    CSP_REPORTS.labels(outcome).inc()
    return HttpResponse(status=status)


def _taken(request: HttpRequest) -> tuple[int, str]:
    """The status of the answer, and the outcome that is counted."""
    if request.content_type not in FORMATS:
        return 415, "refused"
    if int(request.META.get("CONTENT_LENGTH") or 0) > LARGEST:
        return 413, "refused"
    network = network_of(request.META.get("REMOTE_ADDR", ""))
    if not (REPORTS_OF_ONE.allows_from("csp", network) and REPORTS.allows("csp")):
        return 429, "limited"
    try:
        violations = reports_read(request.body)
    except ValueError:
        return 400, "refused"
    if not violations:
        return 204, "left_out"
    reports_add(violations)
    return 204, "counted"


class ReportingMiddleware:
    """Tells browsers where `report-to` leads. They heed it over https only; elsewhere `report-uri`
    does, which they ignore where there is a `report-to`."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        if not settings.HTTPS:
            raise MiddlewareNotUsed
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response["Reporting-Endpoints"] = f'csp="{settings.CSP_REPORTS}"'
        return response
