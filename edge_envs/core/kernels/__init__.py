"""Small kernels that every game may call: random numbers, bits, action masks, rows of arrays."""
