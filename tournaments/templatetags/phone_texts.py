"""The texts that the scripts of a table's page show."""

from django import template
from django.utils.html import json_script
from django.utils.safestring import SafeString

from clubs.models import Club
from tournaments.scoresheets.data import table_texts

register = template.Library()


@register.simple_tag(name="table_texts")
def table_texts_script(club: Club) -> SafeString:
    """The texts, as data that the page's scripts read."""
    return json_script(table_texts(club), "table-texts")
