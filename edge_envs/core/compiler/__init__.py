"""Compile kernels with numba and keep their machine code in a disk cache."""
