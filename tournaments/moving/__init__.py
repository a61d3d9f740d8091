"""A club from one server to another: everything of it in one archive. There it gets other ids."""
