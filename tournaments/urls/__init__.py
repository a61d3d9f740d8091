from tournaments.urls import desk, prints, public, table

urlpatterns = [*table.urlpatterns, *desk.urlpatterns, *prints.urlpatterns, *public.urlpatterns]
