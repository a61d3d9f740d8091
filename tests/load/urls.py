"""Two floors: what a request costs that does nothing, and one that writes one row."""

from django.contrib.sessions.models import Session
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils import timezone

from config.urls import urlpatterns as product


def empty(request: HttpRequest) -> HttpResponse:
    return HttpResponse()


def write(request: HttpRequest) -> HttpResponse:
    with transaction.atomic():
        Session.objects.update_or_create(
            session_key="bench", defaults={"session_data": "", "expire_date": timezone.now()}
        )
    return HttpResponse()


urlpatterns = [path("floor/empty", empty), path("floor/write", write), *product]
