from tournaments.urls import desk, prints, prizes, public, regulations, rules, seasons, table

# The first that are looked at are those that halls of phones ask for.
urlpatterns = [
    *public.urlpatterns,
    *table.urlpatterns,
    *desk.urlpatterns,
    *regulations.urlpatterns,
    *prints.urlpatterns,
    *prizes.urlpatterns,
    *rules.urlpatterns,
    *seasons.urlpatterns,
]
