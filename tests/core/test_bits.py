"""Test the kernels that count, select, read and write bits, with and without the compiler."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from edge_envs.core.compiler.jit import kernel
from edge_envs.core.kernels.bits import bits_at, count_bits, select_bit, write_bits
from edge_envs.core.kernels.onehot import hot_index

WORDS = [
    0,
    1,
    1 << 63,
    (1 << 64) - 1,
    0x0123456789ABCDEF,
    *np.random.default_rng(0).integers(1 << 63, size=20).tolist(),
]
"""Among them no bit, one at each end, and all."""


@kernel
def counted(word: Any) -> Any:
    """Call an inlined kernel."""
    return count_bits(word)


@kernel
def selected(word: Any, n: Any) -> Any:
    """Call an inlined kernel."""
    return select_bit(word, n)


@kernel
def read(row: Any, start: Any) -> Any:
    """Call an intrinsic."""
    return bits_at(row, start)


@kernel
def write(array: Any, start: Any, word: Any, value: Any) -> None:
    """Call an intrinsic."""
    write_bits(array, start, word, value)


@kernel
def first_set(observation: Any, at: Any, count: Any) -> Any:
    """Call an inlined kernel."""
    return hot_index(observation, at, count)


def bits_of(word: int) -> list[int]:
    return [bit for bit in range(64) if word >> bit & 1]


@pytest.mark.parametrize("word", WORDS)
def test_set_bits_are_counted_and_selected_from_the_lowest(word: int) -> None:
    bits = bits_of(word)
    assert counted(np.uint64(word)) == len(bits)
    assert [selected(np.uint64(word), n) for n in range(len(bits))] == bits


@pytest.mark.parametrize("word", WORDS)
def test_words_and_byte_masks_are_converted(word: int) -> None:
    array = np.full(100, 7, np.int8)
    write(array, 20, np.uint64(word), np.int8(3))
    assert np.flatnonzero(array[20:84] == 3).tolist() == bits_of(word)
    assert set(array[20:84]) <= {0, 3}
    assert (array[:20] == 7).all()
    assert (array[84:] == 7).all()
    assert int(read(array, 20)) == word


def test_index_of_a_one_hot_slice_is_read() -> None:
    observation = np.array([1, 0, 0, 1, 1])
    assert (first_set(observation, 1, 4), first_set(observation, 1, 2), first_set(observation, 0, 3)) == (2, -1, 0)
