"""A game in the terminal, and a table of the journal told in words."""
