"""Lists as people keep them: any usual file or pasted text, its headings, columns and values."""
