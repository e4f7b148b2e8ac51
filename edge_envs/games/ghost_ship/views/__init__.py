"""What observations and pictures are made of."""
