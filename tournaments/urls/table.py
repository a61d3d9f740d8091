from django.urls import URLPattern, path

from tournaments.views import table

urlpatterns: list[URLPattern] = [
    path("t/", table.pin, name="pin"),
    path("clubs/<slug:slug>/table/", table.club_pin, name="club_pin"),
    path("t/sw.js", table.table_worker, name="table_worker"),
    path("t/<slug:secret>/", table.table_page, name="table_page"),
    path("t/<slug:secret>/pair/", table.table_pair, name="table_pair"),
    path("t/<slug:secret>/state/", table.table_state, name="table_state"),
    path("t/<slug:secret>/language/", table.table_language, name="table_language"),
    path("t/<slug:secret>/rounds/<int:round_number>/", table.table_round, name="table_round"),
    path(
        "t/<slug:secret>/rounds/<int:round_number>/deals/<int:number>/",
        table.table_deal,
        name="table_deal",
    ),
    path(
        "t/<slug:secret>/rounds/<int:round_number>/deals/<int:number>/undo/",
        table.table_undo,
        name="table_undo",
    ),
    path(
        "t/<slug:secret>/rounds/<int:round_number>/deals/<int:number>/restore/",
        table.table_restore,
        name="table_restore",
    ),
    path(
        "t/<slug:secret>/rounds/<int:round_number>/deals/<int:number>/confirm/",
        table.table_confirm,
        name="table_confirm",
    ),
    path(
        "t/<slug:secret>/rounds/<int:round_number>/deals/<int:number>/object/<slug:side>/",
        table.table_object,
        name="table_object",
    ),
    path(
        "t/<slug:secret>/rounds/<int:round_number>/claims/<uuid:claim>/",
        table.table_claim,
        name="table_claim",
    ),
    path(
        "t/<slug:secret>/rounds/<int:round_number>/dealer/", table.table_dealer, name="table_dealer"
    ),
    path(
        "t/<slug:secret>/rounds/<int:round_number>/answer/", table.table_answer, name="table_answer"
    ),
    path(
        "t/<slug:secret>/rounds/<int:round_number>/dispute/<slug:side>/",
        table.table_dispute,
        name="table_dispute",
    ),
]
