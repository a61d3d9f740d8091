"""The addresses of table links."""

from django.urls import URLPattern, URLResolver, include, path

from tournaments.table_links.views import evening_phones, phone_set

desk_evening: list[URLPattern] = [
    path("phones/", evening_phones, name="evening_phones"),
    path(
        "phones/<int:number>/<int:phone>/cut-off/",
        phone_set,
        {"let_in": False},
        name="phone_cut_off",
    ),
    path(
        "phones/<int:number>/<int:phone>/let-in/", phone_set, {"let_in": True}, name="phone_let_in"
    ),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("clubs/<slug:slug>/desk/evenings/<slug:evening_slug>/", include(desk_evening)),
]
