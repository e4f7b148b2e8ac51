"""The compiled loops of a tree search whose priors, and perhaps values, come from outside, many trees side by side.

Before a node gets its edges, somebody else, such as a network, is asked how likely its actions are. So an iteration is
cut into parts: `set_out` walks down each tree once for each candidate; `gather` fills in what is to be asked; `scatter`
takes the answers, walks on, to where something is to be asked again or to a leaf, and backs up. Walks of one tree begin
with different edges of the root, so none meets what another has left undone, and how many trees there are makes no
difference to any.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from edge_envs.core.compiler.jit import Decorator, kernel_of
from edge_envs.core.kernels.rows import row
from edge_envs.core.loops.complete_kernels import CompleteKernels
from edge_envs.search import descent
from edge_envs.search.arena import ALL, AT_LEAF, MOST_CANDIDATES, OVER, OWN, part_of
from edge_envs.search.leaves import leaves
from edge_envs.search.tree import (
    add_edges,
    back_up,
    candidates_for,
    doubt,
    halve,
    name_candidates,
    plan_rounds,
    read_root,
)


@dataclass(frozen=True)
class GuidedLoops:
    """The loops of one game, compiled on first use, for the first N of the trees in `arenas`.

    Questions are rows of observations and masks, answers rows of probabilities in the same order; `worths` are rows of
    what each player is to get, in turn order from the one who is to act; they count where trees have them `told`.

    `plant(states, arenas, observations, masks)`    new trees for positions (N,); asks about each
    `root(arenas, answers, count)`                  the roots' edges; candidates, and rounds for `count` iterations, if
                                                    that is not 0: then there are as many candidates as possible
    `set_out(states, which, arenas)`                a walk for each candidate of the trees in `which` (N,) bool, down to
                                                    a leaf or a question
    `gather(which, arenas, observations, masks)`    fills in the questions; how many there are
    `scatter(which, arenas, answers, worths)`       the walks to their ends or to another question; whether there is one
    `halve(which, arenas)`                          half of the candidates are out of question
    `read(arenas, actions, visits, means, policy)`  fills in what was found out so far, see `Roots`
    """

    plant: Callable[..., Any]
    root: Callable[..., Any]
    set_out: Callable[..., Any]
    gather: Callable[..., Any]
    scatter: Callable[..., Any]
    halve: Callable[..., Any]
    read: Callable[..., Any]

    @classmethod
    def build(cls, rules: CompleteKernels, folder: Path) -> GuidedLoops:
        """Specialise the loops to the rules of a game."""
        compiled = kernel_of(folder, rules.earlier, also=Path(__file__).resolve().parent)
        return cls(**_roots(rules, compiled), **_walks(rules, leaves(rules, folder), compiled))


def _roots(rules: CompleteKernels, compiled: Decorator) -> dict[str, Any]:
    """The loops at the roots, by the names that `GuidedLoops` has for them."""
    new_root, ask, expand = descent.root(rules, compiled), _ask(rules, compiled), _expand(rules, compiled)

    @compiled
    def plant(states, arenas, observations, masks):
        for t in range(states.shape[0]):
            new_root(states[t], part_of(arenas, t, 0))
            ask(part_of(arenas, t, 0), row(observations, t), row(masks, t))

    @compiled
    def root(arenas, answers, count):
        for t in range(answers.shape[0]):
            arena = part_of(arenas, t, 0)
            expand(arena, answers[t])
            name_candidates(arena, candidates_for(count) if count > 0 else MOST_CANDIDATES)
            plan_rounds(arena, count)

    @compiled
    def halve_some(which, arenas):
        for t in range(which.shape[0]):
            if which[t]:
                halve(part_of(arenas, t, 0))

    @compiled
    def read(arenas, actions, visits, means, policy):
        for t in range(actions.shape[0]):
            read_root(part_of(arenas, t, 0), actions[t : t + 1], visits[t], means[t], policy[t])

    return {"plant": plant, "root": root, "halve": halve_some, "read": read}


def _walks(rules: CompleteKernels, play_out: Any, compiled: Decorator) -> dict[str, Any]:
    """The parts of an iteration, by the names that `GuidedLoops` has for them."""
    start_walk, go_on = descent.set_out(rules, compiled), descent.go_on(rules, compiled)
    ask, expand, add_worth = _ask(rules, compiled), _expand(rules, compiled), _add_worth(rules, compiled)
    current_player = rules.current_player

    @compiled
    def set_out(states, which, arenas):
        for t in range(which.shape[0]):
            if which[t]:
                for k in range(arenas.tree[t].candidates):
                    arena = part_of(arenas, t, k)
                    start_walk(states[t], arena.candidates[k], arena)

    @compiled
    def gather(which, arenas, observations, masks):
        questions = 0
        for t in range(which.shape[0]):
            if which[t]:
                for k in range(arenas.tree[t].candidates):
                    arena = part_of(arenas, t, k)
                    if arena.walk[0].node >= 0:
                        ask(arena, row(observations, questions), row(masks, questions))
                        questions += 1
        return questions

    @compiled
    def walk_on(arena, answer, worth):
        """Give the node that a walk waits for its edges, and go on; at a leaf fill in what each player gets."""
        told = arena.tree[0].told
        expand(arena, answer)
        arena.returns[:] = 0.0
        if told == ALL or (told == OWN and current_player(arena.copies[0]) == arena.tree[0].player):
            add_worth(arena, worth)
            arena.walk[0].node = AT_LEAF
        else:
            go_on(arena)
            if arena.walk[0].node == AT_LEAF:
                play_out(arena.copies[0], arena)

    @compiled
    def scatter(which, arenas, answers, worths):
        questions, waits = 0, False
        for t in range(which.shape[0]):
            if which[t]:
                for k in range(arenas.tree[t].candidates):
                    arena = part_of(arenas, t, k)
                    if arena.walk[0].node >= 0:
                        walk_on(arena, answers[questions], worths[questions])
                        questions += 1
                    elif arena.walk[0].node == AT_LEAF:
                        arena.returns[:] = 0.0
                        play_out(arena.copies[0], arena)
                    if arena.walk[0].node == AT_LEAF:
                        back_up(arena)
                        arena.walk[0].node = OVER
                    waits |= arena.walk[0].node >= 0
        return waits

    return {"set_out": set_out, "gather": gather, "scatter": scatter}


def _ask(rules: CompleteKernels, compiled: Decorator) -> Any:
    current_player, observe, legal_action_mask = rules.current_player, rules.observe, rules.legal_action_mask

    @compiled
    def ask(arena, observation, mask):
        """Fill in what the player to act at the end of a walk sees."""
        observe(arena.copies[0], current_player(arena.copies[0]), observation)
        legal_action_mask(arena.copies[0], mask)

    return ask


def _expand(rules: CompleteKernels, compiled: Decorator) -> Any:
    legal_action_mask = rules.legal_action_mask

    @compiled
    def expand(arena, answer):
        """Give the node that a walk waits for its edges; `answer` (A,) says how likely they are."""
        legal_action_mask(arena.copies[0], arena.mask)
        for action in range(answer.shape[0]):
            arena.values[action] = answer[action] if arena.mask[action] != 0 else -1.0
        doubt(arena)
        add_edges(arena)

    return expand


def _add_worth(rules: CompleteKernels, compiled: Decorator) -> Any:
    current_player = rules.current_player

    @compiled
    def add_worth(arena, worth):
        """Add what each player is to get (P,), in turn order from the one who is to act at the end of a walk."""
        player, players = current_player(arena.copies[0]), worth.shape[0]
        for k in range(players):
            arena.returns[(player + k) % players] += worth[k]

    return add_worth
