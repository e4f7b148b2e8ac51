"""Maps of `over_the_edge`: files of them, and what reads and measures them."""
