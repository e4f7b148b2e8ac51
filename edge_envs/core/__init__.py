"""The parts that all games share.

Modules, each importing only those before it:

    errors, nodes, writing
                         the errors that users meet, the special values of players, atomic writing of files
    kernel_types         the types of the kernels that a game declares
    checks/              checks of input from outside: integers, seeds, positions, files
    spec                 what a game declares: parameters, sizes, layout, kernels
    values, solver       optional declarations: the value contract, an exact solver
    module_types, cells  the types of a game's modules; the cells from which values are learned
    game_type            `GameType`: the fact sheet of a game and the modules of its folder
    trained              the trained policies of a game that the package contains
    compiler/            the `kernel` decorator, the linker and the disk cache
    kernels/, turn_tree  small kernels that every game may call; the memory of the kernel `turns`
    loops/               compiled loops over state records, generic over games
    compiled             `compiled_game`: the kernels and loops of one game
    game, state, information_state
                         a game with its parameters, a position, a player's memory (these import each other)
    features, opponent   inputs of networks; agents and how they are called
    solving/             exact solutions: tables, proof-number search, certificates
    interactive/         tutorials and editors
"""

from edge_envs.moved import keep_old_names

_MOVED = {
    "asking": "opponent",
    "batch": "loops.game_loops",
    "bits": "kernels.bits",
    "certificates": "solving.certificates",
    "compilers": "compiler.backends",
    "editing": "interactive.editor",
    "folders": "compiler.cache_dirs",
    "jit": "compiler.jit",
    "kernel_cache": "compiler.disk_cache",
    "linking": "compiler.linking",
    "memory": "information_state",
    "notices": "compiler.messages",
    "numbers": "checks.integers",
    "onehot": "kernels.onehot",
    "picks": "kernels.masks",
    "plain": "compiler.plain",
    "playouts": "loops.playouts",
    "position": "checks.positions",
    "proofs": "solving.df_pn",
    "prover": "solving.prover",
    "pursuit": "solving.resumable",
    "rng": "kernels.rng",
    "rows": "kernels.rows",
    "ruleset": "loops.complete_kernels",
    "seat_loops": "loops.seat_loops",
    "seats": "loops.seat_codes",
    "solve": "solving.tables",
    "stepping": "loops.stepping",
    "tutorials": "interactive.tutorials",
    "untrusted": "checks.files",
    "value_loops": "loops.value_loops",
    "views": "loops.views",
}
"""The modules of version 0.3 that have moved."""

keep_old_names({f"{__name__}.{old}": f"{__name__}.{new}" for old, new in _MOVED.items()})
