"""Paper: what is printed for an evening and a season, and the links of the tables."""

from django.urls import include, path

from tournaments.views import print_season, prints

evening_urls = [
    path("print/", prints.evening_prints, name="evening_prints"),
    path("print/certificates.pdf", prints.print_certificates, name="print_certificates"),
    path("print/sheets/<int:round_number>.pdf", prints.print_sheets, name="print_sheets"),
    path("print/draw.pdf", prints.print_draw, name="print_draw"),
    path("print/standings.pdf", prints.print_standings, name="print_standings"),
    path("print/spare.pdf", prints.print_spare, name="print_spare"),
    path("print/numbers.pdf", prints.print_numbers, name="print_numbers"),
    path("print/links.pdf", prints.print_links_pdf, name="print_links_pdf"),
    path("links/", prints.print_links, name="print_links"),
    path("links/<int:number>/renew/", prints.link_renew, name="link_renew"),
    path("links/<int:number>/<slug:side>/renew/", prints.link_renew, name="side_link_renew"),
]

season_urls = [
    path("", print_season.season_prints, name="season_prints"),
    path("standing.pdf", print_season.print_season, name="print_season"),
    path(
        "certificates.pdf",
        print_season.print_season_certificates,
        name="print_season_certificates",
    ),
    path("fees.pdf", print_season.print_fees, name="print_fees"),
    path("booklet/", print_season.booklet_make, name="booklet_make"),
    path("booklet/<uuid:job>/", print_season.booklet_page, name="booklet_page"),
    path("booklet/<uuid:job>.pdf", print_season.booklet_file, name="booklet_file"),
]

urlpatterns = [
    path(
        "clubs/<slug:slug>/desk/print/members.pdf", print_season.print_members, name="print_members"
    ),
    path("clubs/<slug:slug>/desk/seasons/<slug:season_slug>/print/", include(season_urls)),
    path("clubs/<slug:slug>/desk/evenings/<slug:evening_slug>/", include(evening_urls)),
]
