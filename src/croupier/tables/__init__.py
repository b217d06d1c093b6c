"""Tables: one game each, as a log; and the house that keeps them all."""
