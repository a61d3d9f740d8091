"""The club's regulations, at its desk."""

from django.urls import path

from tournaments.views.desk import regulations

DESK = "clubs/<slug:slug>/desk/regulations/"

urlpatterns = [
    path(DESK, regulations.regulation_list, name="regulation_list"),
    path(f"{DESK}new/", regulations.regulation_new, name="regulation_new"),
    path(f"{DESK}<int:pk>/", regulations.regulation_edit, name="regulation_edit"),
    path(f"{DESK}<int:pk>/effects/", regulations.regulation_effects, name="regulation_effects"),
]
