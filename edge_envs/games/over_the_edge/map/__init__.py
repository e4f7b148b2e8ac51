"""Maps of `over_the_edge`: the files, and the modules that read and measure them."""
