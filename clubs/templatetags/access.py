"""Permissions in templates."""

from django import template
from django.template import Context

from clubs.access.permissions import ACTIONS, Target
from clubs.access.permissions import may as caller_may

register = template.Library()


@register.simple_tag(takes_context=True)
def may(context: Context, name: str, target: Target) -> bool:
    """Whether the reader may do the action of this name to `target`, and it can be done now.

    Raises KeyError for a name that is no action.
    """
    return caller_may(context["request"], ACTIONS[name], target)
