"""At what time an evening begins."""

from django import template

from tournaments.evenings.texts import start_words

register = template.Library()
register.filter(start_words)
