"""The API of entries: who entered for an evening, and how people can."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django import forms
from django.db import transaction
from django.http import HttpResponse
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.access.permissions import READ_MEMBERS, may, of_club
from clubs.api.requests import etag, idempotent, require_version, tagged, with_tag
from clubs.api.resource import Needs, Pages, StrictSerializer, key_parameter, version_parameter
from clubs.http.problems import query_problem
from clubs.profile.services import club_lock
from clubs.text.errors import DomainError
from tournaments.entries.arrivals import entry_paid_set, person_arrive, person_leave
from tournaments.entries.queries import (
    FILTERS,
    EntryRow,
    entries_found,
    entry_list_of,
    entry_rows,
)
from tournaments.entries.services import (
    EntrySettings,
    entries_add,
    entry_confirm,
    entry_list_change,
    entry_restore,
    entry_withdraw,
)
from tournaments.evenings.api_base import EveningResource
from tournaments.evenings.permissions import SEE_EVENING, SET_PRESENCE
from tournaments.models import Entry, EntryKind, EntryList
from tournaments.models.entry import LONGEST_KEPT, MOST_ENTRIES, Wish

Json = dict[str, Any]
MOST_NAMES = 20
ENTRY: Mapping[str, object] = {
    "id": 3,
    "number": 2,
    "kind": "pair",
    "state": "waiting",
    "turn": 1,
    "name": "",
    "people": [
        {"id": 7, "name": "Jan Bakker", "member": 12, "arrived": False},
        {"id": 8, "name": "Mia van der Meer", "member": None, "arrived": False},
    ],
    "town": "Edam",
    "paid": True,
    "email": "jan@example.org",
    "phone": "",
    "remark": "",
}
ENTRY_EXAMPLE = OpenApiExample("entry", value=ENTRY, response_only=True)
SETTINGS: Mapping[str, object] = {
    "is_open": True,
    "kind": "player",
    "maximum": 24,
    "deadline": "2026-12-04T18:00:00+01:00",
    "walk_ins": False,
    "keep_days": 14,
    "version": "3",
}
SETTINGS_EXAMPLE = OpenApiExample("settings", value=SETTINGS, response_only=True)


class EntryPersonSerializer(serializers.Serializer[Any]):
    """Somebody in an entry; `member` is null for nobody of the club yet."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    member = serializers.IntegerField(allow_null=True)
    arrived = serializers.BooleanField()


class EntrySerializer(serializers.Serializer[Any]):
    """An entry: a player, a pair or a team."""

    id = serializers.IntegerField()
    number = serializers.IntegerField(help_text="Who entered earlier has a lower one.")
    kind = serializers.ChoiceField(EntryKind.choices)
    state = serializers.ChoiceField(Entry.State.choices)
    turn = serializers.IntegerField(help_text="The place on the waiting list; else 0.")
    name = serializers.CharField(help_text="Of a pair or a team; empty for a player.")
    people = EntryPersonSerializer(many=True)
    town = serializers.CharField()
    paid = serializers.BooleanField()
    email = serializers.CharField(help_text="For organisers; empty for others.")
    phone = serializers.CharField(help_text="For organisers; empty for others.")
    remark = serializers.CharField(help_text="For organisers; empty for others.")


class EntryAddSerializer(StrictSerializer):
    """Who enters, and how they can be reached."""

    people = serializers.ListField(
        child=serializers.CharField(max_length=100),
        max_length=MOST_NAMES,
        default=list,
        help_text="Their names: of a player one, of a pair at most two.",
    )
    name = serializers.CharField(max_length=100, default="", allow_blank=True)
    town = serializers.CharField(max_length=60, default="", allow_blank=True)
    email = serializers.EmailField(default="", allow_blank=True)
    phone = serializers.CharField(max_length=30, default="", allow_blank=True)
    remark = serializers.CharField(max_length=300, default="", allow_blank=True)


class EntryChangeSerializer(StrictSerializer):
    """What becomes of an entry."""

    on_list = serializers.BooleanField(
        required=False, help_text="True confirms it or puts it back, false withdraws it."
    )
    paid = serializers.BooleanField(required=False)
    arrived = serializers.BooleanField(
        required=False, help_text="Whether all its people are here, and so are present."
    )


class EntrySettingsSerializer(serializers.Serializer[Any]):
    """Whether and how people can enter."""

    is_open = serializers.BooleanField()
    kind = serializers.ChoiceField(EntryKind.choices)
    maximum = serializers.IntegerField(allow_null=True)
    deadline = serializers.DateTimeField(allow_null=True)
    walk_ins = serializers.BooleanField()
    keep_days = serializers.IntegerField()
    version = serializers.CharField(help_text="Sent along with a change.")


class EntrySettingsChangeSerializer(StrictSerializer):
    """The settings to change; what is left out stays."""

    is_open = serializers.BooleanField(required=False)
    kind = serializers.ChoiceField(EntryKind.choices, required=False)
    maximum = serializers.IntegerField(
        min_value=1, max_value=MOST_ENTRIES, allow_null=True, required=False
    )
    deadline = serializers.DateTimeField(allow_null=True, required=False)
    walk_ins = serializers.BooleanField(required=False)
    keep_days = serializers.IntegerField(min_value=1, max_value=LONGEST_KEPT, required=False)
    version = serializers.CharField(required=False, help_text="The version you saw.")


class EntryFilter(forms.Form):
    """Which entries to show."""

    show = forms.ChoiceField(choices=[(key, "") for key in FILTERS], required=False)


class EntryResource(EveningResource):
    """An address below `entries/`."""

    tag = "registrations"

    def entry_json(self, row: EntryRow) -> Json:
        """An entry as this reader may know it."""
        entry = row.entry
        contacts = may(self.request, READ_MEMBERS, self.club)
        return {
            "id": entry.pk,
            **{name: getattr(entry, name) for name in ("number", "kind", "state")},
            "turn": row.turn,
            "name": entry.name,
            "people": [
                {
                    "id": shown.person.pk,
                    "name": shown.name,
                    "member": shown.person.member_id,
                    "arrived": shown.arrived,
                }
                for shown in row.people
            ],
            "town": entry.town,
            "paid": entry.paid,
            **{
                name: getattr(entry, name) if contacts else ""
                for name in ("email", "phone", "remark")
            },
        }

    def answer(self, pk: int, status: int = 200) -> Response:
        """This entry as it is now."""
        (row,) = entry_rows(self.evening, self.evening.entries.filter(pk=pk))
        return Response(self.entry_json(row), status)


class EntryListing(EntryResource):
    """The entries of an evening."""

    needs: ClassVar[Needs] = {"get": SEE_EVENING, "post": SET_PRESENCE}

    @extend_schema(
        operation_id="entry_list",
        summary="Who entered for an evening",
        parameters=[
            OpenApiParameter("show", enum=list(FILTERS), description="Only these."),
            *Pages.parameters(),
        ],
        responses=Pages.answer(EntrySerializer),
    )
    def get(self, request: Request, **names: Any) -> Response:
        """In the order in which they entered; without `show` all that were not withdrawn."""
        query = EntryFilter(request.query_params)
        if not query.is_valid():
            raise query_problem(query)
        found = entries_found(self.evening, query.cleaned_data["show"] or "all")
        pages = Pages()
        page = pages.paginate_queryset(found, request, self) or []
        rows = entry_rows(self.evening, page)
        return pages.get_paginated_response([self.entry_json(row) for row in rows])

    @extend_schema(
        operation_id="entry_add",
        summary="Enter somebody",
        parameters=[key_parameter(required=False)],
        request=EntryAddSerializer,
        responses={201: EntrySerializer},
        examples=[ENTRY_EXAMPLE],
    )
    def post(self, request: Request, **names: Any) -> Response:
        """On the list, or on the waiting list when it is full."""
        given = EntryAddSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        wish = Wish(**given.validated_data)
        return idempotent(request, about=self.about, act=lambda: self._add(wish))

    def _add(self, wish: Wish) -> Response:
        (entry,) = entries_add(evening_id=self.evening.pk, wishes=[wish], actor=self.actor)
        return self.answer(entry.pk, 201)


class EntryDetail(EntryResource):
    """One entry."""

    needs: ClassVar[Needs] = {"get": SEE_EVENING, "patch": SET_PRESENCE}

    @extend_schema(operation_id="entry_read", summary="An entry", responses=EntrySerializer)
    def get(self, request: Request, *, pk: int, **names: Any) -> HttpResponse:
        """How it stands."""
        entry = of_club(self.club, Entry, pk=pk, evening=self.evening)
        (row,) = entry_rows(self.evening, [entry])
        return self.shown(entry.version, self.entry_json(row))

    @extend_schema(
        operation_id="entry_change",
        summary="Confirm, withdraw, mark as paid or here",
        parameters=[key_parameter(required=False)],
        request=EntryChangeSerializer,
        responses=EntrySerializer,
        examples=[ENTRY_EXAMPLE],
    )
    def patch(self, request: Request, *, pk: int, **names: Any) -> Response:
        """What is left out stays. Doing it again changes nothing."""
        entry = of_club(self.club, Entry, pk=pk, evening=self.evening)
        given = EntryChangeSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        return idempotent(
            request, about=self.about, act=lambda: self._change(entry, given.validated_data)
        )

    @transaction.atomic
    def _change(self, entry: Entry, changes: Json) -> Response:
        actor = self.actor
        if changes.get("on_list") is True:
            withdrawn = entry.state == Entry.State.WITHDRAWN
            (entry_restore if withdrawn else entry_confirm)(entry=entry, actor=actor)
        if "paid" in changes:
            entry_paid_set(entry=entry, paid=changes["paid"], actor=actor)
        if "arrived" in changes:
            act = person_arrive if changes["arrived"] else person_leave
            for pk in entry.people.values_list("pk", flat=True):
                act(evening_id=self.evening.pk, person_id=pk, actor=actor)
        if changes.get("on_list") is False:
            if entry.state == Entry.State.ASKED:
                words = "Nobody confirmed this entry: it is not on the list."
                raise DomainError("not_confirmed", words)
            entry_withdraw(entry=entry, actor=actor)
        return self.answer(entry.pk)


class EntryListDetail(EntryResource):
    """Whether and how people can enter."""

    needs: ClassVar[Needs] = {"get": SEE_EVENING, "patch": SET_PRESENCE}

    @extend_schema(
        operation_id="entry_settings_read",
        summary="How people can enter",
        responses=EntrySettingsSerializer,
        examples=[SETTINGS_EXAMPLE],
    )
    def get(self, request: Request, **names: Any) -> HttpResponse:
        """Version 0 is of an evening that decided nothing yet."""
        known = entry_list_of(self.evening)
        return tagged(request, _tag(known), lambda: Response(_settings_json(known)))

    @extend_schema(
        operation_id="entry_settings_change",
        summary="Open or close entries",
        parameters=[version_parameter()],
        request=EntrySettingsChangeSerializer,
        responses=EntrySettingsSerializer,
        examples=[SETTINGS_EXAMPLE],
    )
    def patch(self, request: Request, **names: Any) -> HttpResponse:
        """A higher maximum lets the first of the waiting list in."""
        given = EntrySettingsChangeSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        changes = {k: v for k, v in given.validated_data.items() if k != "version"}
        with transaction.atomic():
            club_lock(self.club.pk)
            known = entry_list_of(self.evening)
            seen = _version(known)
            require_version(request, seen, lambda: _settings_json(known))
            kept = {name: getattr(known, name) for name in EntrySettings.__dataclass_fields__}
            changed = entry_list_change(
                evening_id=self.evening.pk,
                wanted=EntrySettings(**{**kept, **changes}),
                seen_version=seen,
                actor=self.actor,
            )
        return with_tag(Response(_settings_json(changed)), _tag(changed))


def _version(known: EntryList) -> int:
    return known.version if known.pk else 0


def _tag(known: EntryList) -> str:
    return etag(_version(known))


def _settings_json(known: EntryList) -> Json:
    names = EntrySettings.__dataclass_fields__
    shown = {name: getattr(known, name) for name in names}
    payload: Json = EntrySettingsSerializer(shown | {"version": str(_version(known))}).data
    return payload
