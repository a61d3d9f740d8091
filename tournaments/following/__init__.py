"""Following a club or a player from home: feeds, and messages to a browser by web push."""
