"""Match days by name in templates."""

from django import template

from tournaments.leagues.texts import day_words

register = template.Library()
register.filter("day_name", day_words)
