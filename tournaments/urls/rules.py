"""How a club plays: the page that everybody reads, and where its own lines are written."""

from django.urls import path

from tournaments.views.desk import rule_notes
from tournaments.views.public import rules

urlpatterns = [
    path("clubs/<slug:slug>/desk/rules/", rule_notes.rule_notes, name="rule_notes"),
    path("clubs/<slug:slug>/rules/", rules.rules_page, name="rules_page"),
]
