"""The network, how it fits to tables of all sizes, and what it learns. Nothing here goes by the clock, and everything
by seeds."""

from __future__ import annotations

import doctest
from functools import partial
from itertools import pairwise
from pathlib import Path

import msgspec
import numpy as np
import pytest
from click.testing import CliRunner
from croupier_learning import curve, matches, training
from croupier_learning.__main__ import main
from croupier_learning.bot import BOTS, TRAINED, LearntFaraway, LearntPalace
from croupier_learning.curve import Curve
from croupier_learning.fitting import WIDEST, fit
from croupier_learning.matches import match
from croupier_learning.network import Network
from croupier_learning.training import Learner, log_softmax

from croupier.games.palace.encoding import PalaceEncoding
from croupier.kernel import RandomBot
from croupier.laws.bots import check_bots
from croupier.plugins import catalogue


@pytest.mark.parametrize("module", [matches, training])
def test_examples_in_docstrings(module: object) -> None:
    result = doctest.testmod(module, optionflags=doctest.ELLIPSIS)  # type: ignore[arg-type]
    assert result.attempted > 0
    assert result.failed == 0


def test_at_the_widest_table_everything_has_its_own_place() -> None:
    fitted = fit(PalaceEncoding(WIDEST))
    assert fitted.inputs.tolist() == [*range(PalaceEncoding(WIDEST).observation_size)]
    assert fitted.outputs.tolist() == [*range(PalaceEncoding(WIDEST).action_count)]
    assert set(fitted.shares.tolist()) == {1.0}


@pytest.mark.parametrize("seats", [2, 3, 7])
def test_at_others_a_number_means_what_it_meant(seats: int) -> None:
    """The neighbour to the left has the same place at every table; those too far away share the last one."""
    here, there = PalaceEncoding(seats), PalaceEncoding(WIDEST)
    fitted = fit(here)

    def start(encoding: PalaceEncoding, name: str) -> int:
        before = [section.name for section in encoding.observation].index(name)
        return sum(section.size for section in encoding.observation[:before])

    for name in ("hand", "pile", "known", "others_face_up", "out", "said"):
        assert fitted.inputs[start(here, name)] == start(there, name)
    known = fitted.inputs[start(here, "known") :][: 13 * (seats - 1)].reshape(-1, 13)
    places = [(row[0] - start(there, "known")) // 13 for row in known]
    assert places == [min(other, WIDEST - 2) for other in range(seats - 1)]
    together = np.zeros(there.observation_size)
    np.add.at(together, fitted.inputs, fitted.shares)
    assert np.allclose(together[together > 0], 1)
    assert fitted.outputs[here.starts["flip"]] == there.starts["flip"]


def test_gradients_are_the_slopes() -> None:
    luck = np.random.default_rng(1)
    seats = WIDEST + 2
    network, encoding = Network.new(PalaceEncoding, seed=1, hidden=8), PalaceEncoding(seats)
    network.weights = {name: luck.normal(0, 0.3, each.shape) for name, each in network.weights.items()}  # type: ignore[misc]
    looks = luck.random((5, encoding.observation_size))
    masks = np.ones((5, encoding.action_count), np.int8)
    wanted, aim = luck.random(masks.shape), luck.random(5)

    def loss() -> float:
        answer = network.answer(seats, looks, masks)  # type: ignore[arg-type]
        return float((answer.preferences * wanted).sum() + (answer.value * aim).sum())

    answer = network.answer(seats, looks, masks)  # type: ignore[arg-type]
    found = network.gradients(seats, looks, answer, wanted, aim)  # type: ignore[arg-type]
    for name, weights in network.weights.items():
        for place in luck.integers(weights.size, size=20):
            at, before = np.unravel_index(place, weights.shape), loss()
            weights[at] += 1e-6
            assert found[name][at] == pytest.approx((loss() - before) / 1e-6, abs=1e-3)
            weights[at] -= 1e-6


def test_what_the_mask_forbids_has_no_chance() -> None:
    network, encoding = Network.new(PalaceEncoding, seed=1), PalaceEncoding(2)
    mask = np.zeros((1, encoding.action_count), np.int8)
    mask[0, [3, 5]] = 1
    answer = network.answer(2, np.zeros((1, encoding.observation_size), np.float32), mask)
    assert np.flatnonzero(np.exp(log_softmax(answer.preferences))).tolist() == [3, 5]


def test_a_short_training_makes_a_difference() -> None:
    learner = Learner("palace", PalaceEncoding, seed=2, seats=(2,))
    novice = match("palace", 2, partial(LearntPalace, learner.network), RandomBot, games=200).reward
    told = list(learner.learn(60_000))
    assert told[-1] == learner.decisions >= 60_000
    pupil = match("palace", 2, partial(LearntPalace, learner.network), RandomBot, games=200).reward
    assert pupil.value - pupil.error > novice.value + novice.error
    assert pupil.value - pupil.error > 0.1, "it wins more than it loses"


@pytest.mark.parametrize(("bot", "seats"), [(LearntPalace, 4), (LearntFaraway, 4)])
def test_the_trained_bots_beat_random_ones(bot: type, seats: int) -> None:
    score = match(bot.plays, seats, bot, RandomBot, games=200, seed=7)
    assert score.wins.value - score.wins.error > 2 / seats, "twice what chance would bring"
    assert score.reward.value - score.reward.error > 0.5


@pytest.mark.parametrize(("bot", "seats"), [(LearntPalace, 9), (LearntFaraway, 6)])
def test_at_tables_of_a_size_that_they_have_never_seen_too(bot: type, seats: int) -> None:
    score = match(bot.plays, seats, bot, RandomBot, games=60, seed=7)
    assert score.reward.value - score.reward.error > 0.3


@pytest.mark.parametrize("name", BOTS)
def test_they_choose_what_is_offered(name: str) -> None:
    game = catalogue(tried_bots=[f"croupier_learning:{BOTS[name].__name__}"]).games[name]
    assert "learnt" in game.bots
    for seats in (2, 5):
        assert check_bots(game, seats, game.Options(), seed=3) > 0


def test_weights_for_other_numbers_are_not_used(tmp_path: Path) -> None:
    class Later(PalaceEncoding):
        version = PalaceEncoding.version + 1

    Network.new(PalaceEncoding, seed=1).save(tmp_path / "palace.npz")
    with pytest.raises(ValueError, match=r"palace\.npz was trained with version 1 of Later, which has version 2 now"):
        Network.load(Later, tmp_path / "palace.npz")


def test_all_weights_together_are_small() -> None:
    assert sum(file.stat().st_size for file in TRAINED.glob("*.npz")) < 300_000


def test_the_commands(tmp_path: Path) -> None:
    run = CliRunner().invoke
    short = ["--decisions", "10000", "--games", "20", "--out", str(tmp_path)]
    trained = run(main, ["train", "palace", *short])
    assert trained.exit_code == 0, trained.output
    assert "decisions" in trained.output
    Network.load(PalaceEncoding, tmp_path / "palace.npz")
    points = msgspec.json.decode((tmp_path / "palace.json").read_bytes(), type=Curve).points
    assert points[0].decisions == 0
    assert all(early.decisions < late.decisions for early, late in pairwise(points))
    evaluated = run(main, ["evaluate", "faraway", "--games", "6"])
    assert evaluated.exit_code == 0, evaluated.output
    assert {line.split("|")[1].strip() for line in evaluated.output.splitlines()[2:]} >= {"random", "look-ahead"}
    refused = run(main, ["train", "bridge"])
    assert refused.exit_code == 2
    assert "'bridge' is not one of 'palace', 'faraway'" in refused.output


def test_the_plot_shows_the_curves(tmp_path: Path) -> None:
    plotted = CliRunner().invoke(main, ["plot", str(tmp_path / "curve.svg")])
    assert plotted.exit_code == 0, plotted.output
    drawn = (tmp_path / "curve.svg").read_text()
    assert drawn.count("<polyline") == len(BOTS) == len(curve.COLOURS)
    shown = Path(__file__).parents[3] / "docs" / "images" / "learning.svg"
    assert shown.read_text() == drawn
