"""Kernels of perceptrons with skip connections, for `edge_envs.trained.network`."""

from __future__ import annotations

import numpy as np

from edge_envs.core.compiler.jit import kernel

ACTIVATIONS = ("tanh", "relu", "silu")
"""The activation functions; kernels get the index."""
TANH, RELU = 0, 1


@kernel
def run_hidden(memory):
    """Compute the last hidden layer from `vector`; return its row in `units`."""
    widths, weights, units, vector = memory.widths, memory.weights, memory.units, memory.vector
    for i in range(vector.shape[0]):
        units[0, i] = vector[i]
    at, source = 0, 0
    for layer in range(widths.shape[0] - 1):
        inputs, outputs, target = widths[layer], widths[layer + 1], 1 - source
        biases = at + inputs * outputs
        for j in range(outputs):
            units[target, j] = weights[biases + j]
        for i in range(inputs):
            x = units[source, i]
            if x != np.float32(0.0):
                row = at + i * outputs
                for j in range(outputs):
                    units[target, j] += x * weights[row + j]
        for j in range(outputs):
            units[target, j] = activated(units[target, j], memory.activation[0])
        at, source = biases + outputs, target
    return source


@kernel
def activated(x, activation):
    """Return the value of an activation function."""
    if activation == TANH:
        return np.float32(np.tanh(x))
    if activation == RELU:
        return max(x, np.float32(0.0))
    return x / (np.float32(1.0) + np.exp(-x))


@kernel
def choose_action(row, mask, memory, only):
    """Return an action and its logit.

    Args:
        row: The row of `actions` that holds for the features in `vector`.
        mask: int8 (A,) the legal actions, of which the one with the greatest logit is chosen, the first of equals.
        memory: The perceptron.
        only: The action whose logit is wanted whether it is legal or not; -1 to choose.
    """
    source, size = run_hidden(memory), memory.vector.shape[0]
    vector, units, head, actions = memory.vector, memory.units, memory.head, memory.actions
    best, most = -1, np.float32(-np.inf)
    for action in range(mask.shape[0]):
        if action != only and (only >= 0 or mask[action] == 0):
            continue
        view = np.int64(actions[row, action])
        logit = memory.head_biases[view]
        for i in range(size):
            logit += vector[i] * head[view, i]
        for j in range(head.shape[1] - size):
            logit += units[source, j] * head[view, size + j]
        if best < 0 or logit > most:
            best, most = action, logit
    return best, most
