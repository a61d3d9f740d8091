"""Paper: what is printed for the evening, and the links of its tables."""

from django.urls import include, path

from tournaments.views import prints

evening_urls = [
    path("print/sheets/<int:round_number>.pdf", prints.print_sheets, name="print_sheets"),
    path("print/draw.pdf", prints.print_draw, name="print_draw"),
    path("print/standings.pdf", prints.print_standings, name="print_standings"),
    path("print/links.pdf", prints.print_links_pdf, name="print_links_pdf"),
    path("links/", prints.print_links, name="print_links"),
    path("links/<int:number>/renew/", prints.link_renew, name="link_renew"),
    path("links/<int:number>/<slug:side>/renew/", prints.link_renew, name="side_link_renew"),
]

urlpatterns = [
    path("clubs/<slug:slug>/desk/evenings/<slug:evening_slug>/", include(evening_urls)),
]
