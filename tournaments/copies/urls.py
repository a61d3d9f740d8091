"""The addresses of backup copies."""

from django.urls import URLPattern, URLResolver, include, path

from tournaments.copies.views import (
    bring_page,
    bring_send,
    copy_file,
    copy_folder,
    copy_folder_forget,
    copy_home,
    copy_make,
    copy_page,
    copy_send_page,
)

club_desk: list[URLPattern] = [
    path("copies/", copy_home, name="copy_home"),
    path("copies/make/", copy_make, name="copy_make"),
    path("copies/send/", copy_send_page, name="copy_send"),
    path("copies/folder/", copy_folder, name="copy_folder"),
    path("copies/folder/forget/", copy_folder_forget, name="copy_folder_forget"),
    path("copies/<uuid:uuid>/", copy_page, name="copy_page"),
    path("copies/<uuid:uuid>/file/", copy_file, name="copy_file"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("clubs/<slug:slug>/desk/", include(club_desk)),
    path("copy/", bring_send, name="bring_send"),
    path("copy/<uuid:uuid>/", bring_page, name="bring_page"),
]
