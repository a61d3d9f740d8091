"""The manual inside the program: a chapter for each kind of person, in Dutch and in English."""
