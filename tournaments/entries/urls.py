"""The addresses of entries: for everybody, at the desk, at the door and, below /api/v1/, for
programs."""

from django.urls import URLPattern, URLResolver, include, path

from tournaments.entries.api import EntryDetail, EntryListDetail, EntryListing
from tournaments.entries.views.desk import (
    entries_arrive_page,
    entries_do,
    entries_door,
    entries_list,
    entries_live,
    entries_settings,
    entries_throw_away_page,
    entries_tick,
    entry_add_page,
    entry_do,
    entry_edit,
    entry_withdraw_page,
    evening_entries,
)
from tournaments.entries.views.public import entry_door, entry_new, entry_own, entry_sent

public_evening: list[URLPattern] = [
    path("enter/", entry_new, name="entry_new"),
    path("enter/sent/", entry_sent, name="entry_sent"),
    path("enter/<uuid:entry_uuid>/<str:code>/", entry_own, name="entry_own"),
]

desk_evening: list[URLPattern] = [
    path("", evening_entries, name="evening_entries"),
    path("live/", entries_live, name="entries_live"),
    path("tick/", entries_tick, name="entries_tick"),
    path("do/", entries_do, name="entries_do"),
    path("throw-away/", entries_throw_away_page, name="entries_throw_away"),
    path("arrive/", entries_arrive_page, name="entries_arrive"),
    path("settings/", entries_settings, name="entries_settings"),
    path("add/", entry_add_page, name="entry_add"),
    path("list/", entries_list, name="entries_list"),
    path("door/", entries_door, name="entries_door"),
    path("<int:pk>/", entry_edit, name="entry_edit"),
    path("<int:pk>/do/", entry_do, name="entry_do"),
    path("<int:pk>/withdraw/", entry_withdraw_page, name="entry_withdraw"),
]

api_evening: list[URLPattern] = [
    path("entries/", EntryListing.as_view(), name="api_entries"),
    path("entries/settings/", EntryListDetail.as_view(), name="api_entry_list"),
    path("entries/<int:pk>/", EntryDetail.as_view(), name="api_entry"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("d/<str:door>/", entry_door, name="entry_door"),
    path("clubs/<slug:slug>/evenings/<slug:evening_slug>/", include(public_evening)),
    path("clubs/<slug:slug>/desk/evenings/<slug:evening_slug>/entries/", include(desk_evening)),
    path("api/v1/clubs/<slug:slug>/evenings/<slug:evening_slug>/", include(api_evening)),
]
