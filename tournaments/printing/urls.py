"""The addresses of printing."""

from django.urls import URLPattern, URLResolver, include, path

from tournaments.printing.views.evening import (
    evening_prints,
    link_renew,
    print_all_sheets,
    print_certificates,
    print_draw,
    print_follow,
    print_links,
    print_links_pdf,
    print_numbers,
    print_sheets,
    print_spare,
    print_standings,
)
from tournaments.printing.views.season import (
    booklet_file,
    booklet_make,
    booklet_page,
    print_fees,
    print_labels,
    print_members,
    print_season,
    print_season_certificates,
    season_prints,
)

desk_evening: list[URLPattern] = [
    path("print/", evening_prints, name="evening_prints"),
    path("print/certificates.pdf", print_certificates, name="print_certificates"),
    path("print/sheets/<int:round_number>.pdf", print_sheets, name="print_sheets"),
    path("print/sheets.pdf", print_all_sheets, name="print_all_sheets"),
    path("print/draw.pdf", print_draw, name="print_draw"),
    path("print/standings.pdf", print_standings, name="print_standings"),
    path("print/follow.pdf", print_follow, name="print_follow"),
    path("print/spare.pdf", print_spare, name="print_spare"),
    path("print/numbers.pdf", print_numbers, name="print_numbers"),
    path("print/links.pdf", print_links_pdf, name="print_links_pdf"),
    path("links/", print_links, name="print_links"),
    path("links/<int:number>/renew/", link_renew, name="link_renew"),
    path("links/<int:number>/<slug:side>/renew/", link_renew, name="side_link_renew"),
]

desk_season: list[URLPattern] = [
    path("print/", season_prints, name="season_prints"),
    path("print/standing.pdf", print_season, name="print_season"),
    path("print/certificates.pdf", print_season_certificates, name="print_season_certificates"),
    path("print/fees.pdf", print_fees, name="print_fees"),
    path("print/booklet/", booklet_make, name="booklet_make"),
    path("print/booklet/<uuid:job>/", booklet_page, name="booklet_page"),
    path("print/booklet/<uuid:job>.pdf", booklet_file, name="booklet_file"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("clubs/<slug:slug>/desk/seasons/<slug:season_slug>/", include(desk_season)),
    path("clubs/<slug:slug>/desk/evenings/<slug:evening_slug>/", include(desk_evening)),
    path("clubs/<slug:slug>/desk/fees/<int:year>/print.pdf", print_fees, name="print_year_fees"),
    path("clubs/<slug:slug>/desk/print/members.pdf", print_members, name="print_members"),
    path("clubs/<slug:slug>/desk/print/labels.pdf", print_labels, name="print_labels"),
]
