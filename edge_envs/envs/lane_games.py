"""The games of the lanes of a vector environment: one game, or games of one layout with parameters for each lane."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from edge_envs.core.errors import InvalidPositionError, ParameterError, in_short
from edge_envs.core.game import Game
from edge_envs.core.opponent import Opponent, check_made_for
from edge_envs.core.spec import Array, Records
from edge_envs.envs.options import check_options, start_records

ParamsPerEnv: TypeAlias = Sequence[Mapping[str, Any]] | Callable[[np.random.Generator], Mapping[str, Any]]
"""One dict of parameters per lane, or a function that draws one with a generator."""
Options: TypeAlias = Mapping[str, Any] | None
"""Options of a reset."""

MOST_KEPT = 1000
"""Games of earlier draws that are kept for later draws; none of those that hold shared memory, such as maps."""


class LaneGames:
    """The games of N lanes. They share the layout of actions and observations, so one loop can step them together.

    Args:
        game: The game whose parameters the lanes have unless their own replace them.
        count: Number of lanes, N.
        params_per_env: A sequence with a dict of parameters for each lane; a function that draws such a dict for a lane
            at each reset; or None.
        agents: Agents that play in all lanes.

    Raises:
        ParameterError: if parameters are invalid, if they change the layout, or if an agent does not play the game. The
            message names the lane.
    """

    def __init__(
        self, game: Game, count: int, params_per_env: ParamsPerEnv | None, agents: Sequence[Opponent] = ()
    ) -> None:
        self.game, self._count, self._agents = game, count, agents
        self._known = {_key(game.params): game}
        self._draw = params_per_env if callable(params_per_env) else None
        self._rng = np.random.default_rng()
        self._games = [game] * count
        if params_per_env is None or self._draw is not None:
            return
        if isinstance(params_per_env, str | Mapping) or not isinstance(params_per_env, Sequence):
            raise ParameterError(
                f"invalid params_per_env={in_short(params_per_env)}: expected a list of {count} dicts or a function"
            )
        if len(params_per_env) != count:
            raise ParameterError(
                f"invalid params_per_env: expected {count} dicts, one per lane, not {len(params_per_env)}"
            )
        self._games = [self._game(params, lane) for lane, params in enumerate(params_per_env)]

    def of(self, lane: int) -> Game:
        """Return the game of a lane."""
        return self._games[lane]

    def start(
        self,
        options: Options,
        seeds: Sequence[int] | Array | None,
        which: Array | None = None,
        own: Sequence[Options] | None = None,
    ) -> Records:
        """Return the records of the lanes at the start of a game, see `start_records`, with new draws of parameters.

        An error changes nothing.

        Args:
            options: The options of the reset.
            seeds: One seed per lane, which also seed the draws; None continues them.
            which: The lanes that are reset, bool (N,); None for all. The games of other lanes do not change, and their
                records are blank.
            own: The options of each lane, in place of `options`.
        """
        lanes = range(self._count) if which is None else np.flatnonzero(which).tolist()
        for one in own or [options]:
            check_options(one)
        games, rng = list(self._games), self._rng
        if self._draw is not None:
            rng = copy.deepcopy(rng) if seeds is None else np.random.default_rng([int(seed) for seed in seeds])
            for lane in lanes:
                games[lane] = self._game(self._draw(rng), lane)
        records = self._shared_start(games, lanes, options) if own is None else self._own_starts(games, lanes, own)
        self._games, self._rng = games, rng
        if self._draw is not None and (self.game.holds_shared_memory or len(self._known) > MOST_KEPT + self._count):
            used = {id(game) for game in (self.game, *games)}
            self._known = {key: game for key, game in self._known.items() if id(game) in used}
        return records

    def _shared_start(self, games: Sequence[Game], lanes: Sequence[int], options: Options) -> Records:
        """Return the records of lanes at the start of their games, with the same options."""
        if len({id(games[lane]) for lane in lanes}) == 1:  # by id: hashing a game takes much longer
            return start_records(games[lanes[0]], options, self._count)
        if "position" in (options or {}):
            raise InvalidPositionError("params: the lanes have several parameters, so no position fits all of them")
        return self._own_starts(games, lanes, [options] * self._count)

    def _own_starts(self, games: Sequence[Game], lanes: Sequence[int], options: Sequence[Options]) -> Records:
        """Return the records of lanes at the start of their games, each with its options."""
        records, starts = self.game.new_records(self._count), dict[tuple[int, int], Records]()
        for lane in lanes:
            known = id(games[lane]), id(options[lane])
            if known not in starts:
                starts[known] = start_records(games[lane], options[lane], 1)
            records[lane] = starts[known][0]
        return records

    def _game(self, params: Any, lane: int) -> Game:
        """Return the game with a lane's parameters."""
        where = f"params_per_env[{lane}]"
        if not isinstance(params, Mapping):
            raise ParameterError(f"{where}: {in_short(params)} is not a dict of parameters")
        base = self.game
        try:
            checked = base.type.check_params({**base.params, **params})
        except ValueError as error:
            raise ParameterError(f"{where}: {error}") from None
        key = _key(checked)
        if key not in self._known:
            made = Game(base.type, checked)
            if difference := base.layout_difference(made):
                own = base.params_difference(made.params)
                raise ParameterError(f"{where}: {difference} ({own}); all lanes must share one layout")
            for agent in self._agents:
                try:
                    check_made_for(agent, made)
                except ValueError as error:
                    raise ParameterError(f"{where}: {error}") from None
            self._known[key] = made
        return self._known[key]


def _key(params: Mapping[str, Any]) -> str:
    return json.dumps(dict(params), sort_keys=True)
