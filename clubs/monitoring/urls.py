"""The addresses for those who watch the server and for those who found something wrong with it."""

from django.urls import URLPattern, path

from clubs.monitoring.health import health

urlpatterns: list[URLPattern] = [
    path("healthz", health, name="healthz"),
]
