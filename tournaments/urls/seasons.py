"""What everybody may read of somebody's season."""

from django.urls import path

from tournaments.views.public import season_card, season_next, season_why

urlpatterns = [
    path(
        "clubs/<slug:slug>/seasons/<slug:season_slug>/card.png",
        season_card.season_card,
        name="season_card",
    ),
    path(
        "clubs/<slug:slug>/seasons/<slug:season_slug>/why/<int:pk>/",
        season_why.season_why,
        name="season_why",
    ),
    path(
        "clubs/<slug:slug>/seasons/<slug:season_slug>/next/<int:pk>/",
        season_next.season_next,
        name="season_next",
    ),
]
