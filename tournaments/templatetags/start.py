"""The starting time of an evening."""

from django import template

from tournaments.evenings.texts import start_words

register = template.Library()
register.filter(start_words)
