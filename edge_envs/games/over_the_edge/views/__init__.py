"""Parts of the drawn picture of `over_the_edge`: the disc from above, and the cards."""
