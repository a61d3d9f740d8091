"""What there is to tell of evenings, seasons and a club; imports the standard library only, and the
standings made with it."""
