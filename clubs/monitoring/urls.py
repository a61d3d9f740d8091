"""The addresses for those who watch the server and for those who found something wrong with it."""

from django.conf import settings
from django.urls import URLPattern, path

from clubs.monitoring.views import PATH, csp_report, health, security_txt

urlpatterns: list[URLPattern] = [
    path("healthz", health, name="healthz"),
    path(PATH, security_txt, name="security_txt"),
    path(settings.CSP_REPORTS.removeprefix("/"), csp_report, name="csp_report"),
]
