"""Games as games of OpenSpiel, held to its own tests."""

from __future__ import annotations

import pickle
import subprocess
import sys

import pyspiel
import pytest
from open_spiel.python import policy, rl_environment
from open_spiel.python.algorithms import cfr, exploitability, outcome_sampling_mccfr

from croupier import laws
from croupier.gym.episode import Episode, Said
from croupier.gym.openspiel import load_game, seed
from croupier.kernel import Chance
from croupier.kernel.chance import QuickDice
from tests.gym.games import AnyGame, every_game, seats_of
from tests.toys import Bids, LeakyView, Options, State


@every_game
def test_its_own_simulation(game: AnyGame) -> None:
    """It plays what came before again after each step, so that long games would take long."""
    pyspiel.random_sim_test(load_game(game, seats_of(game), deals=8, max_steps=60), 1, serialize=True, verbose=False)


def test_options_are_parameters_and_survive_being_written_down() -> None:
    game = load_game("coup", 3, {"ruleset": "official", "sounds": False}, deals=4)
    assert pyspiel.load_game(str(game)).get_parameters() == game.get_parameters()
    assert game.get_parameters()["ruleset"] == "official"
    state = pyspiel.load_game("croupier_coup(players=3,ruleset=official)").new_initial_state()
    for action in (3, 0, 2):
        state.apply_action(action)
    written = pyspiel.serialize_game_and_state(state.get_game(), state)
    _, again = pyspiel.deserialize_game_and_state(written)
    assert str(again) == str(state) == "3 0 2"
    assert str(pickle.loads(pickle.dumps(state))) == str(state)
    assert again.information_state_string(0) == state.information_state_string(0)


def test_two_games_can_not_have_one_name() -> None:
    load_game(Bids())
    load_game(Bids())
    with pytest.raises(ValueError, match="OpenSpiel knows another game as croupier_bids"):
        load_game(LeakyView())


def test_a_game_that_takes_too_long_is_over() -> None:
    state = load_game("palace", 4, max_steps=10).new_initial_state()
    state.apply_action(0)
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    assert state.move_number() == 11
    assert state.returns() == [0] * 4


@every_game
def test_whoever_can_not_tell_two_states_apart_has_one_information_state(game: AnyGame) -> None:
    """Whatever they imagine, with what they have seen before it, is no other state to them."""
    state = load_game(game, seats_of(game)).new_initial_state()
    state.apply_action(5)
    dice, compared = QuickDice(1), 0
    while not state.is_terminal() and compared < 60:
        player, episode = state.current_player(), state.table.episode
        told = state.information_state_string(player), state.observation_string(player)
        real, episode.state = episode.state, game.imagine(episode.state, player, dice)
        assert (state.information_state_string(player), state.observation_string(player)) == told
        episode.state = real
        compared += 1
        state.apply_action(dice.choice(state.legal_actions()))
    assert compared > 10


def test_an_information_state_forgets_nothing() -> None:
    """Everything that a seat has heard and said is in it; of others, only what was seen of them."""
    state = load_game("coup", 2).new_initial_state()
    for action in (0, 3, 7):  # the deal; an exchange; let it pass
        state.apply_action(action)
    own, other = (state.information_state_string(seat) for seat in range(2))
    assert '"event":"drew","seat":0,"pool":["' in own
    assert '"event":"drew","seat":0,"pool":null' in other
    said = [entry for entry in state.table.episode.log if isinstance(entry, Said)]
    assert said == [Said(0, 3), Said(1, 7)]
    assert "\n3\n" in own
    assert "\n3\n" not in other


def test_a_deal_is_the_same_every_time() -> None:
    game = load_game("palace", 2, deals=3)
    assert [outcome for outcome, _ in game.new_initial_state().chance_outcomes()] == [0, 1, 2]
    first = [Episode(game.setup, seed(2)).observe(0) for _ in range(2)]
    assert first[0] == first[1] != Episode(game.setup, seed(1)).observe(0)


def test_its_environment_for_learners() -> None:
    env = rl_environment.Environment(load_game("faraway", 2))
    env.seed(1)
    step = env.reset()
    assert max(step.observations["info_state"][0]) <= 1
    while not step.last():
        player = step.observations["current_player"]
        step = env.step([step.observations["legal_actions"][player][0]])
    assert sum(step.rewards) == pytest.approx(0)


def test_its_algorithms_run_and_find_something() -> None:
    """Two rounds of counterfactual regrets on a game with hidden bids leave less to be exploited than any bid would."""
    game = load_game(ThreeBids(), 2, deals=2)
    solver = cfr.CFRSolver(game)
    for _ in range(2):
        solver.evaluate_and_update_policy()
    uniform = exploitability.nash_conv(game, policy.UniformRandomPolicy(game))
    assert exploitability.nash_conv(game, solver.average_policy()) < uniform


def test_its_algorithms_for_large_games_run() -> None:
    game = load_game("coup", 2, deals=2)
    solver = outcome_sampling_mccfr.OutcomeSamplingSolver(game)
    for _ in range(3):
        solver.iteration()
    state = game.new_initial_state()
    state.apply_action(0)
    chosen = solver.average_policy().action_probabilities(state)
    assert sorted(chosen) == state.legal_actions()
    assert sum(chosen.values()) == pytest.approx(1)


class ThreeBids(Bids):
    """Over after three bids of each, so that all of it can be looked at."""

    name = "three-bids"

    def deal(self, options: Options, seats: int, chance: Chance, at: int) -> State:
        state = super().deal(options, seats, chance, at)
        state.hands = [hand[:3] for hand in state.hands]
        return state


def test_an_interpreter_that_has_played_ends_in_peace() -> None:
    """OpenSpiel holds on to what makes the games until there is no Python any more."""
    program = "from croupier.gym.openspiel import load_game; load_game('coup').new_initial_state().apply_action(1)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_deals_are_those_of_the_laws() -> None:
    assert seed(7) == laws.seed_bytes(7)
