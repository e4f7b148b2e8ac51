"""Tests of `edge_envs.core`: random numbers, the compiler, parameters, checks of positions."""
