from tournaments.urls import desk, prints, public, regulations, rules, table

urlpatterns = [
    *table.urlpatterns,
    *desk.urlpatterns,
    *regulations.urlpatterns,
    *prints.urlpatterns,
    *public.urlpatterns,
    *rules.urlpatterns,
]
