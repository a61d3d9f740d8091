"""Who is here on an evening: ticked, signed off, walked in as a guest."""

from typing import Any, ClassVar

from django import forms
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.idempotency import idempotent
from clubs.api.pagination import Pages
from clubs.api.problems import query_problem
from clubs.api.resource import Needs
from clubs.api.schema import key_parameter
from clubs.models import Member
from clubs.scoping import of_club
from tournaments.api.base import EveningResource
from tournaments.api.registrations_shown import (
    AS_ANSWERED,
    GuestSerializer,
    HereSerializer,
    PresenceChangesSerializer,
    PresenceSerializer,
    RegistrationSerializer,
    registration_json,
)
from tournaments.permissions import SEE_EVENING, SET_PRESENCE
from tournaments.present import member_called, present_rows
from tournaments.services import guest_add, presence_set, presence_update


class PresentFilter(forms.Form):
    """Whether to show only who is here, or only who is not."""

    present = forms.ChoiceField(choices=[("true", ""), ("false", "")], required=False)


class RegistrationList(EveningResource):
    """The list of an evening."""

    tag = "registrations"
    needs: ClassVar[Needs] = {"get": SEE_EVENING, "post": SET_PRESENCE, "patch": SET_PRESENCE}

    @extend_schema(
        operation_id="registration_list",
        summary="Who is here, and who may come",
        parameters=[
            OpenApiParameter(
                "present", enum=["true", "false"], description="Only who is here, or is not."
            ),
            *Pages.parameters(),
        ],
        responses=Pages.answer(RegistrationSerializer),
    )
    def get(self, request: Request, **names: Any) -> Response:
        """Every active member and whoever else is on this evening's list, in order of surname."""
        asked = PresentFilter(request.query_params)
        if not asked.is_valid():
            raise query_problem(asked)
        wanted = {"": (True, False), "true": (True,), "false": (False,)}
        shown = wanted[asked.cleaned_data["present"]]
        rows = [row for row in present_rows(self.evening) if row.present in shown]
        return Pages.of(self, rows, RegistrationSerializer)

    @extend_schema(
        operation_id="guest_add",
        summary="A guest walks in",
        parameters=[key_parameter(required=False)],
        request=GuestSerializer,
        responses={200: RegistrationSerializer, 201: RegistrationSerializer},
        examples=[AS_ANSWERED],
    )
    def post(self, request: Request, **names: Any) -> Response:
        """A new guest, who is here (201); whom the club knows by that name is here (200)."""
        given = GuestSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        name = given.validated_data["name"]
        return idempotent(request, about=self.about, act=lambda: self._welcome(name))

    @extend_schema(
        operation_id="registration_update",
        summary="Who came and who left",
        parameters=[key_parameter(required=False)],
        request=PresenceChangesSerializer,
        responses=HereSerializer,
        examples=[OpenApiExample("here", value={"present": 12}, response_only=True)],
    )
    def patch(self, request: Request, **names: Any) -> Response:
        """Ticks and unticks several people at once; about anybody else nothing changes."""
        given = PresenceChangesSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        asked = given.validated_data
        come, gone = (self.listed_people(key, asked[key]) for key in ("arrived", "left"))
        return idempotent(request, about=self.about, act=lambda: self._update(come, gone))

    def _update(self, come: list[Member], gone: list[Member]) -> Response:
        here = presence_update(
            evening_id=self.evening.pk, arrived=come, left=gone, actor=self.actor
        )
        return Response({"present": here})

    def _welcome(self, name: str) -> Response:
        known = member_called(self.evening, name)
        evening_id, actor = self.evening.pk, self.actor
        if known is None:
            registration = guest_add(evening_id=evening_id, name=name, actor=actor)
        else:
            registration = presence_set(
                evening_id=evening_id, member=known, present=True, actor=actor
            )
        return Response(registration_json(registration), 200 if known else 201)


class RegistrationDetail(EveningResource):
    """Whether somebody is here."""

    tag = "registrations"
    needs: ClassVar[Needs] = {"put": SET_PRESENCE}

    @extend_schema(
        operation_id="registration_set",
        summary="Say that somebody is here, or isn't",
        parameters=[key_parameter(required=False)],
        request=PresenceSerializer,
        responses=RegistrationSerializer,
        examples=[AS_ANSWERED],
    )
    def put(self, request: Request, *, pk: int, **names: Any) -> Response:
        """Counts from the next draw on; a round that is already drawn stays as it is."""
        member = of_club(self.club, Member, pk=pk)
        given = PresenceSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        return idempotent(request, about=self.about, act=lambda: self._set(member, given))

    def _set(self, member: Member, given: PresenceSerializer) -> Response:
        return Response(
            registration_json(
                presence_set(
                    evening_id=self.evening.pk,
                    member=member,
                    actor=self.actor,
                    **given.validated_data,
                )
            )
        )
