"""The REST API of evenings: seasons, registrations, draws, tables, deals, standings."""
