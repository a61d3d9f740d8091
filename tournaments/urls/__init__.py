from tournaments.urls import desk, prints, prizes, public, regulations, rules, seasons, table

urlpatterns = [
    *table.urlpatterns,
    *desk.urlpatterns,
    *regulations.urlpatterns,
    *prints.urlpatterns,
    *prizes.urlpatterns,
    *public.urlpatterns,
    *rules.urlpatterns,
    *seasons.urlpatterns,
]
