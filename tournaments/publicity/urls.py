"""The addresses of publicity."""

from django.urls import URLPattern, URLResolver, include, path

from tournaments.publicity.mail_views import (
    evening_whatsapp,
    mail_again,
    mail_sent,
    mail_write,
)
from tournaments.publicity.views import evening_texts, wording_edit, wording_reset

club_desk: list[URLPattern] = [
    path("mail/", mail_write, name="mail_write"),
    path("mail/<uuid:uuid>/", mail_sent, name="mail_sent"),
    path("mail/<uuid:uuid>/again/", mail_again, name="mail_again"),
    path("texts/<slug:kind>/<slug:language>/", wording_edit, name="wording_edit"),
    path("texts/<slug:kind>/<slug:language>/reset/", wording_reset, name="wording_reset"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("clubs/<slug:slug>/desk/", include(club_desk)),
    path(
        "clubs/<slug:slug>/desk/evenings/<slug:evening_slug>/text/",
        evening_texts,
        name="evening_texts",
    ),
    path(
        "clubs/<slug:slug>/desk/evenings/<slug:evening_slug>/whatsapp/",
        evening_whatsapp,
        name="evening_whatsapp",
    ),
]
