"""How a tool call travels: natively, or as two lines of text. Both are read from every response."""
