"""What a page gives a phone to work with."""

from django import template
from django.utils.html import json_script
from django.utils.safestring import SafeString

from scoring.deals.forms import DealForm
from scoring.deals.phone import phone_rules

register = template.Library()


@register.simple_tag(name="phone_rules")
def phone_rules_script(form: DealForm) -> SafeString:
    """The rules and texts of a deal's form as data that the page's scripts read."""
    return json_script(phone_rules(form), "deal-rules")
