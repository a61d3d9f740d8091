from tournaments.urls import desk, prints, prizes, public, regulations, rules, table

urlpatterns = [
    *table.urlpatterns,
    *desk.urlpatterns,
    *regulations.urlpatterns,
    *prints.urlpatterns,
    *prizes.urlpatterns,
    *public.urlpatterns,
    *rules.urlpatterns,
]
