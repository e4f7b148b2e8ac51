"""Learn the values of positions after whole turns with n-tuple networks, from the rules alone."""
