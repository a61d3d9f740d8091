"""The addresses of audit."""

from django.urls import URLPattern, URLResolver, include, path

from tournaments.audit.views import deal_trail, member_trail, table_trail

desk_evening: list[URLPattern] = [
    path("tables/<int:number>/trail/", table_trail, name="table_trail"),
    path(
        "rounds/<int:round_number>/tables/<int:number>/deals/<int:deal_number>/",
        deal_trail,
        name="deal_trail",
    ),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("clubs/<slug:slug>/desk/evenings/<slug:evening_slug>/", include(desk_evening)),
    path("clubs/<slug:slug>/desk/trail/members/<int:pk>/", member_trail, name="member_trail"),
]
