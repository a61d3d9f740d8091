"""The addresses of regulations."""

from django.urls import URLPattern, URLResolver, include, path

from tournaments.regulations.views import (
    regulation_edit,
    regulation_effects,
    regulation_list,
    regulation_new,
    rule_notes_page,
    rules_page,
)

club_desk: list[URLPattern] = [
    path("regulations/", regulation_list, name="regulation_list"),
    path("regulations/new/", regulation_new, name="regulation_new"),
    path("regulations/<int:pk>/", regulation_edit, name="regulation_edit"),
    path("regulations/<int:pk>/effects/", regulation_effects, name="regulation_effects"),
    path("rules/", rule_notes_page, name="rule_notes"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("clubs/<slug:slug>/desk/", include(club_desk)),
    path("clubs/<slug:slug>/rules/", rules_page, name="rules_page"),
]
