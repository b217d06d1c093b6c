"""People: who they are, and what they have played. What is known of them lies in the journal, beside its logs; nobody
has to be anybody to play."""
