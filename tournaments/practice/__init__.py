"""A practice evening with made-up people, which can play by itself and leaves no trace."""
