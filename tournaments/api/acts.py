"""What is done to an evening as a whole: hidden, closed, opened again, called off."""

from collections.abc import Callable
from typing import Any, ClassVar

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.idempotency import idempotent
from clubs.api.resource import Needs
from clubs.api.schema import key_parameter
from tournaments.api.base import EveningResource
from tournaments.api.evening_shown import EVENING, EveningSerializer
from tournaments.permissions import CANCEL, CLOSE, FREEZE, REOPEN, RESTORE
from tournaments.services import (
    evening_cancel,
    evening_close,
    evening_freeze,
    evening_reopen,
    evening_restore,
)

AS_ANSWERED = OpenApiExample("evening", value=EVENING, response_only=True)


def act_schema(operation_id: str, summary: str) -> Callable[..., Any]:
    """The document of something that is done to an evening by a POST without a body."""
    return extend_schema(
        operation_id=operation_id,
        summary=summary,
        parameters=[key_parameter(required=False)],
        request=None,
        responses=EveningSerializer,
        examples=[AS_ANSWERED],
    )


class EveningAct(EveningResource):
    """Something that is done to an evening."""

    tag = "evenings"

    def done(self, act: Callable[[], object]) -> HttpResponse:
        """The evening after `act`, or what this was answered before."""
        return idempotent(self.request, about=self.about, act=lambda: self._after(act))

    def _after(self, act: Callable[[], object]) -> Response:
        act()
        self.find(**self.kwargs)
        return Response(EveningSerializer(self.evening).data)


class EveningFreeze(EveningAct):
    """The standings are hidden."""

    needs: ClassVar[Needs] = {"post": FREEZE}

    @act_schema("evening_freeze", "Hide the standings from the hall")
    def post(self, request: Request, **names: Any) -> HttpResponse:
        """Until the prizes: nobody but the desk sees points."""
        return self.done(
            lambda: evening_freeze(evening_id=self.evening.pk, frozen=True, actor=self.actor)
        )


class EveningUnfreeze(EveningAct):
    """The standings are shown again."""

    needs: ClassVar[Needs] = {"post": FREEZE}

    @act_schema("evening_unfreeze", "Show the standings again")
    def post(self, request: Request, **names: Any) -> HttpResponse:
        """Everybody sees points again."""
        return self.done(
            lambda: evening_freeze(evening_id=self.evening.pk, frozen=False, actor=self.actor)
        )


class EveningClose(EveningAct):
    """The evening ends."""

    needs: ClassVar[Needs] = {"post": CLOSE}

    @act_schema("evening_close", "Close the evening")
    def post(self, request: Request, **names: Any) -> HttpResponse:
        """Ends it and publishes its result; rounds that never started go."""
        return self.done(lambda: evening_close(evening_id=self.evening.pk, actor=self.actor))


class EveningReopen(EveningAct):
    """A closed evening is opened again."""

    needs: ClassVar[Needs] = {"post": REOPEN}

    @act_schema("evening_reopen", "Open a closed evening again")
    def post(self, request: Request, **names: Any) -> HttpResponse:
        """What was published stays as it was published."""
        return self.done(lambda: evening_reopen(evening_id=self.evening.pk, actor=self.actor))


class EveningCancel(EveningAct):
    """The evening is called off."""

    needs: ClassVar[Needs] = {"post": CANCEL}

    @act_schema("evening_cancel", "Call the evening off")
    def post(self, request: Request, **names: Any) -> HttpResponse:
        """What was drawn goes; once deals are written it can no longer be called off."""
        return self.done(lambda: evening_cancel(evening_id=self.evening.pk, actor=self.actor))


class EveningRestore(EveningAct):
    """A cancelled evening is planned again."""

    needs: ClassVar[Needs] = {"post": RESTORE}

    @act_schema("evening_restore", "Plan a cancelled evening again")
    def post(self, request: Request, **names: Any) -> HttpResponse:
        """As it was planned; who is here is still ticked."""
        return self.done(lambda: evening_restore(evening_id=self.evening.pk, actor=self.actor))
