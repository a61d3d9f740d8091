"""The addresses of desk."""

from django.urls import URLPattern, URLResolver, include, path

from tournaments.desk.views.evenings import (
    cancel,
    delete,
    deleted,
    evening_edit,
    evening_new,
    restore,
    sit_out,
)
from tournaments.desk.views.home import club_frame, desk, evening_desk, evening_list, start_away
from tournaments.desk.views.public import (
    club_calendar,
    club_card,
    club_ical,
    club_page,
    club_standing,
)

desk_evening: list[URLPattern] = [
    path("", evening_desk, name="evening_desk"),
    path("edit/", evening_edit, name="evening_edit"),
    path("cancel/", cancel, name="evening_cancel"),
    path("delete/", delete, name="evening_delete"),
    path("restore/", restore, name="evening_restore"),
    path("sit-out/", sit_out, name="evening_sit_out"),
]

club_desk: list[URLPattern] = [
    path("", desk, name="desk"),
    path("start/", start_away, name="start_away"),
    path("evenings/", evening_list, name="evening_list"),
    path("evenings/new/", evening_new, name="evening_new"),
    path("evenings/deleted/", deleted, name="evenings_deleted"),
]

club_public: list[URLPattern] = [
    path("", club_page, name="club_page"),
    path("frame/", club_frame, name="club_frame"),
    path("card.png", club_card, name="club_card"),
    path("calendar/", club_calendar, name="club_calendar"),
    path("calendar.ics", club_ical, name="club_ical"),
    path("standing/", club_standing, name="club_standing"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("clubs/<slug:slug>/", include(club_public)),
    path("clubs/<slug:slug>/desk/", include(club_desk)),
    path("clubs/<slug:slug>/desk/evenings/<slug:evening_slug>/", include(desk_evening)),
]
