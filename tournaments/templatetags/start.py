"""At what time an evening begins."""

from django import template

from tournaments.start_words import start_words

register = template.Library()
register.filter(start_words)
