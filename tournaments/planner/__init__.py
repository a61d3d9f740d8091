"""A season of evenings planned in one go, and the kinds of evening a club has."""
