"""Paper for the evening: score sheets, the draw for the wall, table cards, the standings."""
