"""SplitMix64 random numbers (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).

The state of a generator is one 64-bit word. Each game has its own, so a game depends only on its seed. Every operand is
cast to `np.uint64`, so that the kernels produce the same numbers with the compiler switched off.
"""

from __future__ import annotations

import numpy as np

from edge_envs.core.compiler.jit import kernel

GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_AGENTS = np.uint64(0xD1342543DE82EF95)
_S27, _S30, _S31, _S32, _S11 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32), np.uint64(11)


@kernel
def mix(word):
    """Return the output of SplitMix64 for one word, a bijective mix of 64 bits."""
    z = np.uint64(word)
    z = (z ^ (z >> _S30)) * _MIX_1
    z = (z ^ (z >> _S27)) * _MIX_2
    return z ^ (z >> _S31)


@kernel
def below(word, n):
    """Return an integer from 0 to n - 1 by multiply-shift of a mixed word's upper half (bias below n / 2**32)."""
    return np.int64(((word >> _S32) * np.uint64(n)) >> _S32)


@kernel
def unit(word):
    """Return a number in [0, 1) with 53 random bits from a mixed word."""
    return np.float64(word >> _S11) * (1.0 / 9007199254740992.0)


@kernel
def draw(state):
    """Advance the generator of a state and return 64 random bits."""
    state.rng = np.uint64(state.rng) + GAMMA
    return mix(state.rng)


@kernel
def draw_at(words, i):
    """Advance generator `i` of an array of generators and return 64 random bits."""
    words[i] = np.uint64(words[i]) + GAMMA
    return mix(words[i])


@kernel
def chance_word(seed):
    """Return the initial generator of a game with this seed."""
    return mix(np.uint64(seed) + GAMMA)


@kernel
def agents_word(seed):
    """Return the second generator of a seed, for seats and opponents, which are not part of the game."""
    return mix(mix(np.uint64(seed) + GAMMA) ^ _AGENTS)


@kernel
def chance_words(seeds, words):
    """Write `chance_word` of each seed (N,) to words (N,), both uint64."""
    for i in range(seeds.shape[0]):
        words[i] = chance_word(seeds[i])


@kernel
def agents_words(seeds, words):
    """Write `agents_word` of each seed (N,) to words (N,), both uint64."""
    for i in range(seeds.shape[0]):
        words[i] = agents_word(seeds[i])
