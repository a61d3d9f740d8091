"""Permissions in templates."""

from django import template
from django.http import HttpRequest
from django.template import Context

from clubs.access.permissions import ACTIONS, READ_DESK, Target
from clubs.access.permissions import may as caller_may
from clubs.models import Club, Role

register = template.Library()


@register.simple_tag(takes_context=True)
def organisers_to_ask(context: Context) -> str:
    """The names of the organisers of the club that the page is of, for who has a task there;
    others learn of nobody."""
    request: HttpRequest | None = context.get("request")
    club: Club | None = getattr(request, "club", None)
    if request is None or club is None or not caller_may(request, READ_DESK, club):
        return ""
    organisers = club.roles.filter(kind=Role.Kind.ORGANISER).select_related("user")
    return ", ".join(sorted(str(role.user) for role in organisers))


@register.simple_tag(takes_context=True)
def may(context: Context, name: str, target: Target) -> bool:
    """Whether the reader may do the action of this name to `target`, and it can be done now.

    Raises KeyError for a name that is no action.
    """
    return caller_may(context["request"], ACTIONS[name], target)
