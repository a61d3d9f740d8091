"""The addresses of photos."""

from django.urls import URLPattern, URLResolver, include, path

from tournaments.photos.views import photo_edit, photo_jpeg, photo_take_away

desk_evening: list[URLPattern] = [
    path("photo/", photo_edit, name="photo_edit"),
    path("photo/remove/", photo_take_away, name="photo_remove"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("clubs/<slug:slug>/desk/evenings/<slug:evening_slug>/", include(desk_evening)),
    path("clubs/<slug:slug>/evenings/<slug:evening_slug>/photo.jpg", photo_jpeg, name="photo_jpeg"),
]
