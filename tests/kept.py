"""What the services made once in a test run, put back for the test that asks for the same again."""

from collections.abc import Callable

from django.apps import apps
from django.db import models, transaction
from time_machine import escape_hatch

from clubs.models import Club, User
from tournaments.models import Evening

APPS = "clubs", "scoring", "tournaments"
Rows = list[tuple[type[models.Model], list[models.Model]]]

_kept: dict[str, tuple[int, Rows]] = {}


def made_once(call: str, make: Callable[[], Evening]) -> Evening:
    """What `make` makes in a database without clubs; `call` tells it from what others make.

    The second time its rows come back as they were, with the same ids, which costs a tenth. It is
    made anew where there are clubs already, since the ids could be taken, and for a test that
    travels in time, since the trail holds the time of the first.
    """
    if Club.objects.exists() or escape_hatch.is_travelling():
        return make()
    if call not in _kept:
        made = make()
        _kept[call] = made.pk, _all_rows()
        return made
    pk, rows = _kept[call]
    with transaction.atomic():
        for model, objects in rows:
            model._default_manager.bulk_create(objects)
    return Evening.objects.get(pk=pk)


def _all_rows() -> Rows:
    """Every row but the logins, which nothing here makes."""
    tables = [model for app in APPS for model in apps.get_app_config(app).get_models()]
    found = [(model, list(model._default_manager.all())) for model in tables if model is not User]
    return [(model, objects) for model, objects in found if objects]
