"""n-tuple networks against a slow reference."""

from __future__ import annotations

import numpy as np
import pytest

from edge_envs import Game, load_game
from edge_envs.core.cells import CellField, CellLayout
from edge_envs.core.spec import Array
from edge_envs.core.turn_tree import END, INNER, add_change, add_node, new_turn_tree
from edge_envs.ntuple.network import Network, TupleSpec, network_of, new_network
from edge_envs.ntuple.scores import evaluate_tree, new_levels, set_root, share_of
from edge_envs.ntuple.transfer import carried_over, transferable
from edge_envs.ntuple.updates import change_score, table_modes
from tests.ntuple.reference import Cells, SlowNetwork
from tests.toy import two_boxes

BOARD = CellLayout(
    (
        CellField("board", 3, "nothing, own, other", grid=(4, 4), ordered=False),
        CellField("own", 17, "a square, or none", place=True, ordered=False),
        CellField("counts", 5, "two counts", cells=2),
    ),
    square=True,
)
LINE = CellLayout((CellField("a", 3, "one"), CellField("b", 4, "two"), CellField("c", 2, "three")))
SPECS = [
    TupleSpec(window=(2, 2)),
    TupleSpec(window=(2, 3), cells=("counts",)),
    TupleSpec(around=("own", 1)),
    TupleSpec(around=("own", 2), cells=("counts",)),  # hashed
    TupleSpec(cells=("own", "counts")),
]


def some_cells(layout: CellLayout, seed: int) -> Cells:
    """Return random values of all cells."""
    rng = np.random.default_rng(seed)
    return tuple(int(rng.integers(values)) for values in layout.values)


def random_weights(network: Network, seed: int = 0) -> np.ndarray:
    """Return random weights."""
    return np.random.default_rng(seed).normal(size=int(network.size[0])).astype(np.float32)


def base_of(network: Network, cells: Cells) -> np.ndarray:
    """Return cells as the root of a turn tree, for one view."""
    return np.array([[*cells, int(network.outside[0])]], np.int16)


@pytest.mark.parametrize(
    ("layout", "specs"), [(BOARD, SPECS), (LINE, [TupleSpec(cells=("a", "c")), TupleSpec(cells=("b", "a"))])]
)
def test_scores_match_the_reference(layout: CellLayout, specs: list[TupleSpec]) -> None:
    network, slow = new_network(layout, specs), SlowNetwork(layout, specs)
    weights, levels = random_weights(network), new_levels(network, 1, 4)
    for seed in range(50):
        cells = some_cells(layout, seed)
        set_root(network, weights, levels, base_of(network, cells))
        assert levels.sums[0, 0] == pytest.approx(slow.score(weights, cells), abs=1e-4)


FEW = [spec for spec in SPECS if spec.around is None]


@pytest.mark.parametrize(("specs", "is_dense"), [(SPECS, False), (FEW, True)], ids=["changed tuples", "all tuples"])
def test_changes_of_cells_are_evaluated_like_new_positions(specs: list[TupleSpec], is_dense: bool) -> None:
    network, slow, rng = new_network(BOARD, specs), SlowNetwork(BOARD, specs), np.random.default_rng(5)
    weights, levels = random_weights(network), new_levels(network, 1, 8)
    assert (len(network.dense) > 0) == is_dense
    for seed in range(20):
        root = some_cells(BOARD, seed)
        tree = new_turn_tree(
            np.zeros(1, np.uint64), np.zeros((1, 1), np.uint64), base_of(network, root),
            nodes=64, changes=64 * 40, players=2, actions=1,
        )  # fmt: skip
        path, expected = [root], []
        for n in range(60):
            depth = int(rng.integers(1, min(len(path), 6) + 1))
            path = path[:depth]
            cells = list(path[-1])
            add_node(tree, depth, 0, END if n % 2 else INNER, np.uint64(0))
            for cell in rng.integers(len(cells), size=int(rng.integers(0, 6))):  # a cell may change twice
                cells[cell] = int(rng.integers(BOARD.values[cell]))
                add_change(tree, int(cell), cells[cell])
            path.append(tuple(cells))
            expected.append(tuple(cells))
        scores, keys = np.zeros((64, 1)), np.zeros(64, np.uint64)
        set_root(network, weights, levels, tree.base)
        evaluate_tree(tree, network, weights, levels, scores, keys)
        for n, one in enumerate(expected):
            assert scores[n, 0] == pytest.approx(slow.score(weights, one), abs=1e-3)
            set_root(network, weights, levels, base_of(network, one))
            assert levels.keys[0] == keys[n], "keys depend only on the cells"


def all_tables(network: Network) -> Array:
    """Return that the tables of all tuples change entry by entry."""
    return np.zeros(len(network.tuples), np.int64)


def test_the_table_of_a_linear_tuple_stays_linear() -> None:
    layout = CellLayout((CellField("turns", 9, "turns"), CellField("phase", 4, "phase", ordered=False)))
    specs = [TupleSpec(cells=("turns",)), TupleSpec(cells=("phase",)), TupleSpec(cells=("turns", "phase"))]
    network = new_network(layout, specs)
    modes = table_modes(layout, network, ["turns"])
    assert modes.tolist() == [9, 0, 0]
    size = int(network.size[0])
    weights, last = np.zeros(size, np.float32), np.zeros(size, np.int64)
    for k, (turns, change) in enumerate([(8, 3.0), (2, 1.5), (4, 6.0)]):
        base, scratch = base_of(network, (turns, 1))[0], base_of(network, (turns, 1))[0]
        change_score(network, weights, base, scratch, last, k + 1, change, modes)
    slope = (1.0 * 4 + 0.5 * -2 + 2.0 * 0) / 4 / 4  # each change counts in proportion to the distance from the middle
    np.testing.assert_allclose(weights[:9], slope * np.arange(-4, 5), atol=1e-6)
    assert weights[9:13].tolist() == [0.0, np.float32(3.5), 0.0, 0.0]


def test_a_line_is_learned_once_for_all_symmetric_positions() -> None:
    layout = CellLayout((CellField("board", 3, "board", grid=(2, 2)), CellField("turns", 9, "turns")), square=True)
    network = new_network(layout, [TupleSpec(cells=("turns",))])
    assert len(layout.symmetries()[0]) == 8
    weights, last = np.zeros(9, np.float32), np.zeros(9, np.int64)
    cells = base_of(network, (0, 1, 2, 0, 8))[0]
    change_score(network, weights, cells, cells.copy(), last, 1, 1.0, table_modes(layout, network, ["turns"]))
    np.testing.assert_allclose(weights, np.arange(-4, 5) / 4, atol=1e-6)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (TupleSpec(cells=("turns", "turns")), "names the same cell twice: turns, turns"),
        (TupleSpec(around=("place", 1), cells=("many",)), "at most 255 cells, not 304"),
    ],
)
def test_tuples_with_repeated_or_too_many_cells_are_rejected(spec: TupleSpec, message: str) -> None:
    fields = CellField("board", 3, "board", grid=(2, 2)), CellField("place", 5, "place", place=True)
    layout = CellLayout((*fields, CellField("turns", 9, "turns"), CellField("many", 2, "many", cells=300)))
    with pytest.raises(ValueError, match=message):
        new_network(layout, [spec])


def test_fixed_tables_stay_the_same() -> None:
    network, cells = new_network(LINE, [TupleSpec(cells=("a",)), TupleSpec(cells=("b",))]), (1, 2, 0)
    weights, last = np.zeros(7, np.float32), np.zeros(7, np.int64)
    modes = table_modes(LINE, network, [], ["b"])
    change_score(network, weights, base_of(network, cells)[0], base_of(network, cells)[0], last, 1, 1.0, modes)
    assert weights.tolist() == [0.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ("name", "message"),
    [("phase", "phase cannot have a linear table"), ("score", "expected a tuple of the cell 'score' alone")],
)
def test_only_numbers_that_are_alone_in_a_tuple_can_be_linear(name: str, message: str) -> None:
    layout = CellLayout((CellField("score", 9, "score"), CellField("phase", 4, "phase", ordered=False)))
    network = new_network(layout, [TupleSpec(cells=("phase",)), TupleSpec(cells=("score", "phase"))])
    with pytest.raises(ValueError, match=message):
        table_modes(layout, network, [name])


def test_learning_changes_each_weight_of_all_symmetric_positions_once() -> None:
    network, slow = new_network(BOARD, SPECS), SlowNetwork(BOARD, SPECS)
    cells, size = some_cells(BOARD, 3), int(network.size[0])
    weights, last = np.zeros(size, np.float32), np.zeros(size, np.int64)
    scratch = base_of(network, cells)[0]
    change_score(network, weights, base_of(network, cells)[0], scratch, last, 1, 0.5, all_tables(network))
    touched = {number for image in slow.images(cells) for number in slow.numbers(image)}
    assert set(np.flatnonzero(weights).tolist()) == touched
    assert np.unique(weights[sorted(touched)]).tolist() == [np.float32(0.5 / len(network.tuples))]


def test_symmetric_positions_keep_equal_scores() -> None:
    specs = [*SPECS, TupleSpec(window=(3, 2), cells=("counts",))]  # with each window also the rotated one
    network, slow = new_network(BOARD, specs), SlowNetwork(BOARD, specs)
    size = int(network.size[0])
    weights, last = np.zeros(size, np.float32), np.zeros(size, np.int64)
    for seed in range(30):
        cells = some_cells(BOARD, seed)
        base, scratch = base_of(network, cells)[0], base_of(network, cells)[0]
        change_score(network, weights, base, scratch, last, seed + 1, 1.0 - seed / 20, all_tables(network))
    for seed in range(30):
        images = slow.images(some_cells(BOARD, seed))
        assert len(images) == 8
        assert [slow.score(weights, one) for one in images] == pytest.approx(
            [slow.score(weights, images[0])] * 8, abs=1e-4
        )


def test_tables_are_carried_over_if_their_cells_mean_the_same_on_both_boards() -> None:
    specs = [
        TupleSpec(window=(2, 3)),
        TupleSpec(around=("own_ship", 1)),
        TupleSpec(cells=("own_ship",)),
        TupleSpec(cells=("lead", "stage")),
    ]
    small, large = (load_game("beyond_maps", size=size) for size in (5, 7))
    weights = np.arange(1, int(network_of(small, specs).size[0]) + 1, dtype=np.float32)
    carried = carried_over(weights, small, large, specs)
    assert len(carried) == int(network_of(large, specs).size[0])
    shared, ships = 5**6 + 6**4, 5 * 5 + 1
    np.testing.assert_array_equal(carried[:shared], weights[:shared])
    assert not carried[shared : shared + 7 * 7 + 1].any(), "squares of the two boards have different names"
    np.testing.assert_array_equal(carried[shared + 7 * 7 + 1 :], weights[shared + ships :])


def test_tables_of_spaces_are_not_carried_over_to_another_map() -> None:
    specs = [TupleSpec(cells=("space_0", "turn_0")), TupleSpec(cells=("steps_0", "fair_weather_0"))]
    pond, flat_earth = (load_game("over_the_edge", map=name) for name in ("pond", "flat_earth"))
    weights = np.ones(int(network_of(pond, specs).size[0]), np.float32)
    carried = carried_over(weights, pond, flat_earth, specs)
    spaces, kept = (int(network_of(game, specs[:1]).size[0]) for game in (flat_earth, pond))
    assert not carried[:spaces].any()
    assert carried[spaces:].all()
    assert len(carried) - spaces == len(weights) - kept


def test_tables_are_carried_over_to_a_network_of_more_tuples() -> None:
    specs = [TupleSpec(cells=("space_0",)), TupleSpec(cells=("steps_0",)), TupleSpec(cells=("fair_weather_0",))]
    pond, flat_earth = (load_game("over_the_edge", map=name) for name in ("pond", "flat_earth"))
    kept = transferable(pond, flat_earth, specs)
    assert kept == specs[1:]
    weights = np.arange(1, int(network_of(pond, kept).size[0]) + 1, dtype=np.float32)
    carried = carried_over(weights, pond, flat_earth, kept, specs)
    assert carried.tolist() == [0.0] * (len(carried) - len(weights)) + weights.tolist()


def test_shares_of_opposite_scores_sum_to_one() -> None:
    assert share_of(0.0) == 0.5
    assert share_of(2.0) + share_of(-2.0) == pytest.approx(1.0)
    assert share_of(2.0) == pytest.approx(0.880797)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (TupleSpec(), "needs a window, a place to be around, or cells"),
        (TupleSpec(window=(5, 1)), "no window of 5x1 fits"),
        (TupleSpec(cells=("board",)), "board is a grid"),
        (TupleSpec(cells=("nothing",)), "unknown cell 'nothing' \\(choose from board, own, counts\\)"),
        (TupleSpec(around=("counts", 1)), "counts is not a place"),
        (TupleSpec(window=(2, 2), around=("own", 1)), "not both"),
    ],
)
def test_specifications_that_do_not_fit_are_rejected(spec: TupleSpec, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        new_network(BOARD, [spec])


def test_windows_need_a_grid_and_networks_need_tuples() -> None:
    with pytest.raises(ValueError, match="the cells have no grid"):
        new_network(LINE, [TupleSpec(window=(1, 1))])
    with pytest.raises(ValueError, match="expected at least one tuple"):
        new_network(LINE, [])


def test_games_without_cells_are_rejected() -> None:
    with pytest.raises(ValueError, match="declares no cells"):
        network_of(Game(two_boxes.GAME, {}), [TupleSpec(cells=("a",))])
