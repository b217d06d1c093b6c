"""The rules of Coup. Everybody has two cards face down; who has none left is out, and the last one wins.

The numbers U1, U2, … are the rules as the game's page under ``docs/`` counts them; D1, D2, … are its decisions.
The codes of refusals are those of the game's own protocol in small letters.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import msgspec

from croupier.games.coup import memory, offers, position, stories, terminal
from croupier.games.coup.bot import Believer, Honest
from croupier.games.coup.position import (
    answers,
    balance,
    both,
    concerned,
    faces,
    live,
    missing,
    next_living,
    opens,
    others,
    owner,
    pick,
    proof,
    slots,
    window,
)
from croupier.games.coup.vocabulary import (
    ACTIONS,
    BLOCKS,
    CHARACTERS,
    CLAIMS,
    DECK,
    FEES,
    GAINS,
    IMMEDIATE,
    MUST_COUP,
    TARGETED,
    Accept,
    Action,
    Allow,
    Allowed,
    AnyEvent,
    AnyMove,
    Block,
    Blocked,
    CallBs,
    Challenged,
    Character,
    Clue,
    CoinsChanged,
    Confirm,
    Dealt,
    Drew,
    Ended,
    Exchanged,
    Executed,
    Keep,
    Kicked,
    Lose,
    Losing,
    LossReason,
    Options,
    Passed,
    Paused,
    Propose,
    Proposed,
    Resumed,
    Revealed,
    Rose,
    State,
    Swapped,
    Then,
    Turn,
    View,
    WentOut,
    WindowKind,
    Withdraw,
)
from croupier.kernel import (
    ENGLISH,
    Bot,
    Chance,
    Clock,
    Customs,
    Dice,
    Game,
    Illegal,
    Naming,
    RandomBot,
    Result,
    Words,
)

FIRST_COINS = 2
AWAY = "away "
"""The clock of a missing player: this and the seat."""

SOUNDS = ("airhorn", "applause", "coins", "crickets", "drumroll", "gasp", "liar", "sadTrombone")

Events = list[AnyEvent]


def wrong_phase() -> Illegal:
    return Illegal("that is not possible now", "wrong_phase")


def out_of_it() -> Illegal:
    return Illegal("you are out of the game", "you_are_out")


def already_responded() -> Illegal:
    return Illegal("you have allowed it already", "already_responded")  # U22, D33


class Coup(Game[State, View, Options, AnyMove, AnyEvent]):
    """Coup for 2 to 6 (U3)."""

    name = "coup"
    title = "Coup"
    about = "Claim to be whoever you need to be, and call the bluffs of others. The last one with a card wins."
    seats = range(2, 7)
    usual: ClassVar[Mapping[str, Any]] = {"confirm_policy": "all"}
    customs = Customs(
        seating="queued",  # U5
        late="expire",  # U50
        absent="forfeit",  # U62
        host="present",  # U6
        kicked="onlooker",  # D50
        names="unique",  # D44
        naming=Naming(  # what its own protocol can say
            longest=20,
            pattern=r"[A-Za-z0-9_\-]+( [A-Za-z0-9_\-]+)*",
            hint="a name is 1 to 20 letters, digits, _ and -, with single spaces",
        ),
        pace=(3.0, 15.0),  # 8.1: how long an answer takes must not tell what somebody holds
    )
    asides = ()
    bots: ClassVar[Mapping[str, type[Bot]]] = {"believer": Believer, "honest": Honest, "random": RandomBot}

    # Before the game

    def deal(self, options: Options, seats: int, chance: Chance, at: int) -> State:
        """What ``lobby``, ``sit`` and ``begin`` come to, in one go: a random game is over after twenty moves."""
        return State(
            options=options,
            chance=chance,
            faces=shuffled_deck(chance),
            deck=list(range(2 * seats, len(DECK))),
            phase="awaiting_action",  # U11
            seats=list(range(seats)),
            hands=[[2 * seat, 2 * seat + 1] for seat in range(seats)],  # U4
            lost=[[] for _ in range(seats)],
            coins=[FIRST_COINS] * seats,
            since=at,
        )

    def lobby(self, options: Options, chance: Chance, at: int) -> State:
        return State(options=options, chance=chance, faces=shuffled_deck(chance), deck=list(range(len(DECK))))

    def sit(self, state: State, seat: int, at: int) -> Sequence[AnyEvent]:
        hand = [state.deck.pop(0), state.deck.pop(0)]  # U4
        state.seats.append(seat)
        state.hands.append(hand)
        state.lost.append([])
        state.coins.append(FIRST_COINS)
        return [Dealt(seat, faces(state, hand), FIRST_COINS, len(state.deck))]

    def rise(self, state: State, seat: int, at: int) -> Sequence[AnyEvent]:
        player = state.seats.index(seat)
        state.deck += state.hands.pop(player)  # U7
        reshuffle(state)  # D9
        del state.seats[player], state.lost[player], state.coins[player]
        return [Rose(seat, len(state.deck))]

    def begin(self, state: State, options: Options, order: Sequence[int], at: int) -> State:
        state.hands = [state.hands[state.seats.index(seat)] for seat in order]
        state.seats = list(range(len(order)))
        state.options = options
        state.phase = "awaiting_action"  # U11: nothing is dealt, and player 0 begins
        state.since = at
        return state

    # Whose word is awaited

    def awaited(self, state: State) -> Sequence[int]:
        if state.paused_at is not None:
            return ()
        phase = state.phase
        if phase == "awaiting_action":
            return (state.current,)
        if phase == "action_window" or phase == "block_window":
            if state.confirmed or state.options.confirm_policy == "all":
                return tuple(state.responders)
            return (*state.responders, state.current if state.blocker is None else state.blocker)
        if phase == "exchanging":
            return (state.current,)
        return () if state.loser is None else (state.loser,)

    def moves(self, state: State, seat: int) -> Sequence[AnyMove]:
        return offers.offered(state, seat)

    # Moves. The order of the checks in each decides which code a refusal has.

    def play(self, state: State, seat: int, move: AnyMove, at: int) -> Sequence[AnyEvent]:
        if state.paused_at is not None:
            raise Illegal("the game is paused", "paused")  # U61
        return PLAYS[type(move)](self, state, seat, move, at)

    def _propose(self, state: State, seat: int, move: Propose, at: int) -> Events:
        if state.phase != "awaiting_action":
            raise wrong_phase()
        if seat in state.out:
            raise out_of_it()
        if seat != state.current:
            raise Illegal("it is not your turn", "not_your_turn")
        action, target = move.action, move.target
        if action not in ACTIONS:
            raise Illegal("there is no such action", "bad_action")
        purse = state.coins[seat]
        if purse >= MUST_COUP and action != "coup":
            raise Illegal("10 or more coins: coup is the only move", "must_coup")  # U13
        if (target is not None) if action not in TARGETED else not self._can_be_target(state, action, target):
            raise Illegal("that is nobody this action can be aimed at", "bad_target")  # U15
        fee = FEES[action]
        if purse < fee:
            raise Illegal("that takes {fee} coins", "not_enough_coins", fee=fee)
        state.coins[seat] = purse - fee  # U14
        state.action, state.target = action, target
        events: Events = []
        if action in IMMEDIATE:  # U16
            events.append(Proposed(seat, action, target, True, False, (), 0, 0))
            return self._execute(state, "at_once", at, events)
        self._open_window(state, at, events)  # U17
        if fee:
            events.append(balance(state, seat))
        return events

    def _can_be_target(self, state: State, action: Action, target: Any) -> bool:
        return (
            type(target) is int
            and target in state.seats
            and target != state.current
            and target not in state.out
            and (action != "steal" or state.coins[target] > 0)  # D38
        )

    def _allow(self, state: State, seat: int, move: Allow, at: int) -> Events:
        if not answers(state, seat, move.to):
            self._check_answer(state, seat, move.to)
            if state.block_only and seat != state.target:
                raise Illegal("only the target may answer this", "not_target")
            raise already_responded()
        events = self._nod(state, seat)
        if state.options.confirm_policy == "all" and not state.responders:  # U24
            return self._close_window(state, at, events)
        return events

    def _accept(self, state: State, seat: int, move: Accept, at: int) -> Events:
        kind = window(state)
        if kind is None or move.to not in (None, kind):
            raise wrong_phase()
        if seat in state.out:
            raise out_of_it()
        if seat != concerned(state):
            raise Illegal("that is not yours to settle", "not_your_action")
        every = state.options.confirm_policy == "all"
        events: Events = []
        if (move.allows or every) and seat not in state.allowed:
            events = self._nod(state, seat)
        if every:
            return events if state.responders else self._close_window(state, at, events)
        if at >= opens(state):
            return self._close_window(state, at, events)
        state.confirmed = True
        return events

    def _call_bs(self, state: State, seat: int, move: CallBs, at: int) -> Events:
        heard = answers(state, seat, move.to)
        if not heard:
            self._check_answer(state, seat, move.to)
        on_block = state.phase == "block_window"
        assert state.action is not None
        claim = state.block_as if on_block else CLAIMS.get(state.action)
        if claim is None or state.block_only:  # U25
            raise Illegal("no card is claimed here", "not_challengeable")
        if not heard:
            raise already_responded()
        return self._challenge(state, seat, claim, on_block, at)

    def _block(self, state: State, seat: int, move: Block, at: int) -> Events:
        if state.phase != "action_window":
            raise wrong_phase()  # U27: the second block too
        if seat in state.out:
            raise out_of_it()
        if seat == state.current:
            raise Illegal("that is your own action", "own_action")
        assert state.action is not None
        fitting = BLOCKS.get(state.action)
        if fitting is None:
            raise Illegal("this action can't be blocked", "not_blockable")
        if state.target is not None and seat != state.target:
            raise Illegal("only the target may block this", "not_target")  # D29
        character = move.character
        if character not in CHARACTERS:
            raise Illegal("there is no such card", "bad_card")
        if character not in fitting:
            raise Illegal("that card does not block this action", "bad_block_card")
        if seat in state.allowed:
            raise already_responded()
        state.blocker, state.block_as, state.phase = seat, character, "block_window"  # U28
        state.block_only = False
        self._wait(state, at, others(state, seat))
        options = state.options
        return [
            Blocked(
                seat,
                character,
                state.action,
                state.target,
                state.current,
                tuple(state.responders),
                0 if options.confirm_policy == "all" else options.min_wait_ms,
                options.response_timeout_ms,
            )
        ]

    def _confirm(self, state: State, seat: int, move: Confirm, at: int) -> Events:
        kind = window(state)
        if kind is None:
            raise wrong_phase()
        if seat in state.out:
            raise out_of_it()
        if seat != owner(state):
            raise Illegal("that is not your action", "not_your_action")
        action, target = ("block", state.current) if kind == "block" else (state.action, state.target)
        if move.action not in (None, action) or move.target not in (None, target):
            raise Illegal("that is not what is open", "action_mismatch")
        if state.options.confirm_policy == "all":
            raise Illegal("it goes ahead when everybody has allowed it", "too_early")  # U24
        early = opens(state) - at
        if early <= 0:  # U23
            return self._close_window(state, at, [])
        if not move.patient:
            raise Illegal("wait {retry_ms} ms more", "too_early", retry_ms=early)
        state.confirmed = True
        return []

    def _withdraw(self, state: State, seat: int, move: Withdraw, at: int) -> Events:
        if state.phase != "action_window":
            raise wrong_phase()
        if seat in state.out:
            raise out_of_it()
        if seat != state.current:
            raise Illegal("that is not your action", "not_your_action")
        if state.options.ruleset == "official":
            raise Illegal("what is announced is announced", "not_allowed")
        return self._next_turn(state, at, [Passed("withdrawn", seat, seat)])  # U30

    def _lose_card(self, state: State, seat: int, move: Lose, at: int) -> Events:
        if state.phase != "losing_card":
            raise wrong_phase()
        if seat in state.out:
            raise out_of_it()
        if seat != state.loser:
            raise Illegal("somebody else has to lose a card", "not_your_choice")
        if move.card not in CHARACTERS:
            raise Illegal("there is no such card", "bad_card")
        for slot, card in enumerate(state.hands[seat]):
            if slot not in state.lost[seat] and state.faces[card] == move.card:
                return self._reveal(state, seat, slot, at, [])
        raise Illegal("you do not hold that card", "card_not_held")

    def _keep(self, state: State, seat: int, move: Keep, at: int) -> Events:
        if state.phase != "exchanging":
            raise wrong_phase()
        if seat in state.out:
            raise out_of_it()
        if seat != state.current:
            raise Illegal("somebody else is exchanging", "not_your_choice")
        hand = live(state, seat)
        picked = pick(state, hand + state.drawn, move.cards) if len(move.cards) == len(hand) else None
        if picked is None:
            raise Illegal("keep {count} of the offered cards", "bad_keep", count=len(hand))
        return self._exchange(state, *picked, at)

    def _check_answer(self, state: State, seat: int, to: WindowKind | None) -> None:
        """Why somebody has no answer, unless it was given already or is another's."""
        kind = window(state)
        if kind is None or to not in (None, kind):
            raise wrong_phase()  # D32
        if seat in state.out:
            raise out_of_it()
        if seat == owner(state):
            raise Illegal("that is your own block" if kind == "block" else "that is your own action", "own_action")

    def _nod(self, state: State, seat: int) -> Events:
        state.allowed.append(seat)
        state.responders.remove(seat)
        return [Allowed(seat, "block" if state.phase == "block_window" else "action", tuple(state.responders))]

    # What follows. The events of a move are gathered in one list, which is handed on from step to step.

    def _wait(self, state: State, at: int, responders: list[int]) -> None:
        """A new wait begins, with nobody's word in it."""
        state.since = at if state.paused_at is None else state.paused_at
        state.allowed.clear()
        state.responders = responders
        if state.confirmed:
            state.confirmed = False

    def _open_window(self, state: State, at: int, events: Events) -> Events:
        """U20: the action may be answered. With ``block_only``, by its target alone (U35)."""
        state.phase = "action_window"
        responders = others(state, state.current)  # U21
        if state.block_only:
            responders = [seat for seat in responders if seat == state.target]
        self._wait(state, at, responders)
        options = state.options
        assert state.action is not None
        events.append(
            Proposed(
                state.current,
                state.action,
                state.target,
                False,
                state.block_only,
                tuple(responders),
                0 if options.confirm_policy == "all" else options.min_wait_ms,
                options.response_timeout_ms,
            )
        )
        return events

    def _close_window(self, state: State, at: int, events: Events) -> Events:
        """Nobody has objected: the action is executed, or the block stands."""
        if state.phase == "block_window":
            assert state.blocker is not None
            events.append(Passed("blocked", state.blocker, state.current))
            return self._next_turn(state, at, events)  # U29
        return self._execute(state, "window", at, events)

    def _execute(self, state: State, after: Any, at: int, events: Events) -> Events:
        """U40 to U43."""
        seat, action, target = state.current, state.action, state.target
        assert action is not None
        events.append(Executed(seat, action, target, after))
        coins = state.coins
        if action in GAINS:
            coins[seat] += GAINS[action]
            events.append(balance(state, seat))
            return self._next_turn(state, at, events)
        if action == "exchange":
            return self._draw(state, at, events)
        assert target is not None
        if action == "steal":
            stolen = min(2, coins[target])  # U41
            coins[seat] += stolen
            coins[target] -= stolen
            if stolen:
                events.append(CoinsChanged(((seat, coins[seat]), (target, coins[target]))))
            return self._next_turn(state, at, events)
        if action == "coup":
            events.append(balance(state, seat))
            return self._must_lose(state, target, "coup", "turn", at, events)
        return self._must_lose(state, target, "assassinate", "turn", at, events)

    def _challenge(self, state: State, accuser: int, claim: Character, on_block: bool, at: int) -> Events:
        """U31: the server looks, and somebody loses a card."""
        accused = owner(state)
        slot = proof(state, accused, claim)
        correct = slot is None
        loser = accused if correct else accuser
        events: Events = [Challenged(accuser, accused, claim, on_block, correct, loser)]
        official = state.options.ruleset == "official"
        then: Then = "turn"  # U32, U33: in the ruleset note that is all
        if official and on_block and correct:
            then = "execute"  # U36
        elif official and not on_block and not correct:
            then = "continue"  # U35
        elif not on_block and state.action == "assassinate":  # U37
            state.coins[accused] += FEES["assassinate"]
            events.append(balance(state, accused))
        if slot is None:
            memory.caught(state, accused, claim)
        elif official:
            events.append(self._swap(state, accused, slot))
        else:
            memory.proved(state, accused, claim)  # D2
        reason: LossReason = "bs_caught" if correct else "bs_wrong"
        return self._must_lose(state, loser, reason, then, at, events)

    def _swap(self, state: State, seat: int, slot: int) -> AnyEvent:
        """U34: back into the deck with it, shuffle, and draw another one."""
        card = state.hands[seat][slot]
        character = state.faces[card]
        state.deck.append(card)
        reshuffle(state)
        memory.shuffled(state, [character])
        state.hands[seat][slot] = state.deck.pop(0)
        return Swapped(seat, faces(state, live(state, seat)))

    def _must_lose(self, state: State, seat: int, reason: LossReason, then: Then, at: int, events: Events) -> Events:
        """U44: asked with two cards, not asked with one."""
        state.loser, state.reason, state.then = seat, reason, then
        if state.blocker is not None:
            state.blocker = state.block_as = None
        if then == "turn":
            state.action = state.target = None
        lost = state.lost[seat]
        if lost:
            events.append(Losing(seat, reason, False, None, 0))
            return self._reveal(state, seat, 1 - lost[0], at, events)
        state.phase = "losing_card"
        self._wait(state, at, [])
        events.append(Losing(seat, reason, True, both(state, seat), state.options.choice_timeout_ms))
        return events

    def _reveal(self, state: State, seat: int, slot: int, at: int, events: Events) -> Events:
        """The loser turns over a card, and the turn goes on."""
        assert state.reason is not None
        events.append(self._turn_over(state, seat, slot, state.reason))
        if len(state.lost[seat]) == 2:
            self._out(state, seat, events)
        return self._go_on(state, at, events)

    def _turn_over(self, state: State, seat: int, slot: int, reason: Any) -> AnyEvent:
        lost, hand = state.lost[seat], state.hands[seat]
        lost.append(slot)  # U45
        card, other = state.faces[hand[slot]], state.faces[hand[1 - slot]]
        if len(lost) == 2:
            return Revealed(seat, card, slot, reason, (other, card), ())
        return Revealed(seat, card, slot, reason, (card,), (other,))

    def _out(self, state: State, seat: int, events: Events) -> None:
        """U46: no more turns, no more coins."""
        state.out.append(seat)
        events.append(WentOut(seat))
        if state.coins[seat]:
            state.coins[seat] = 0
            events.append(balance(state, seat))
        if len(state.out) == len(state.seats) - 1:  # U47
            (winner,) = (other for other in state.seats if other not in state.out)
            put_back(state)
            clear(state)
            state.phase = "game_over"
            state.paused_at = None
            state.away = []
            events.append(Ended(winner, faces(state, live(state, winner))))

    def _go_on(self, state: State, at: int, events: Events) -> Events:
        """A card has been lost."""
        if state.phase == "game_over":
            return events
        if state.then == "turn":
            return self._next_turn(state, at, events)
        if state.current in state.out:  # U63
            events.append(Passed("kicked", state.current, state.current))
            return self._next_turn(state, at, events)
        if state.target is not None and state.target in state.out:
            events.append(Passed("target_out", state.target, state.current))
            return self._next_turn(state, at, events)
        execute = state.then == "execute" or state.target is None
        state.loser, state.reason, state.then = None, None, "turn"
        if execute:
            return self._execute(state, "challenge", at, events)
        state.block_only = True  # U35
        return self._open_window(state, at, events)

    def _draw(self, state: State, at: int, events: Events) -> Events:
        """U42."""
        state.drawn = [state.deck.pop(0), state.deck.pop(0)]
        state.phase = "exchanging"
        self._wait(state, at, [])
        hand = live(state, state.current)
        pool = faces(state, hand + state.drawn)
        events.append(Drew(state.current, pool, len(hand), state.options.choice_timeout_ms))
        return events

    def _exchange(self, state: State, kept: list[int], returned: list[int], at: int) -> Events:
        """What is kept fills the live slots in this order; the rest goes to the bottom of the deck."""
        seat = state.current
        hand, lost = state.hands[seat], state.lost[seat]
        if lost:
            hand[1 - lost[0]] = kept[0]
        else:
            hand[:] = kept
        state.deck.extend(returned)
        state.drawn = []
        memory.exchanged(state, seat, kept, returned)
        if state.options.ruleset == "official":  # D40
            reshuffle(state)
            memory.shuffled(state)
        return self._next_turn(state, at, [Exchanged(seat, faces(state, kept))])

    def _next_turn(self, state: State, at: int, events: Events) -> Events:
        """U48: the next living player, and nothing is pending."""
        clear(state)
        state.phase = "awaiting_action"
        state.current = current = next_living(state, state.current)
        state.since = at if state.paused_at is None else state.paused_at
        events.append(Turn(current))
        return events

    # Time

    def clocks(self, state: State) -> Sequence[Clock]:
        options = state.options
        if state.paused_at is not None:  # U61: all others stand still
            if not options.auto_kick_ms:
                return ()
            return [Clock(since + options.auto_kick_ms, (seat,), f"{AWAY}{seat}") for seat, since in state.away]
        found = []
        match state.phase:
            case "action_window" | "block_window":
                if state.confirmed:
                    found.append(Clock(opens(state), (), "confirm"))
                if options.response_timeout_ms:
                    waits = tuple(state.responders) if options.confirm_policy == "all" else (owner(state),)
                    found.append(Clock(state.since + options.response_timeout_ms, waits, "response"))
            case "losing_card" | "exchanging" if options.choice_timeout_ms:
                chooser = state.current if state.loser is None else state.loser
                found.append(Clock(state.since + options.choice_timeout_ms, (chooser,), "choice"))
            case "awaiting_action" if options.turn_timeout_ms:
                found.append(Clock(state.since + options.turn_timeout_ms, (state.current,), "turn"))
        return found

    def expire(self, state: State, clock: str, at: int) -> Sequence[AnyEvent]:
        """U50: what happens to the silent. Auto-kick is the clock of those who are missing."""
        if clock == "confirm" or clock == "response":
            return self._close_window(state, at, [])  # U23, U24
        if clock.startswith(AWAY):
            return self.leave(state, (int(clock.removeprefix(AWAY)),), at)
        seat = state.current
        if clock == "turn":
            if state.coins[seat] >= MUST_COUP:
                return self._propose(state, seat, Propose("coup", next_living(state, seat)), at)
            return self._propose(state, seat, Propose("income"), at)
        if state.phase == "exchanging":
            return self._exchange(state, live(state, seat).copy(), state.drawn, at)
        assert state.loser is not None
        return self._reveal(state, state.loser, 0, at, [])

    # Absence

    def absent(self, state: State, seat: int, at: int) -> Sequence[AnyEvent]:
        if seat in state.out or seat in missing(state) or state.phase == "game_over":  # U60
            return ()
        state.away = sorted([*state.away, (seat, at)])
        if state.paused_at is None:
            state.paused_at = at
        return [Paused(seat, missing(state))]

    def back(self, state: State, seat: int, at: int) -> Sequence[AnyEvent]:
        return self._resume(state, seat, at)

    def _resume(self, state: State, seat: int, at: int) -> Events:
        """This one is not missing any more. If nobody is, the game goes on; the time of the pause does not count."""
        state.away = [(other, since) for other, since in state.away if other != seat]
        if state.paused_at is None or state.away:
            return []
        state.since += at - state.paused_at
        state.paused_at = None
        return [Resumed()]

    def leave(self, state: State, seats: Sequence[int], at: int) -> Sequence[AnyEvent]:
        """U62: who is kicked, or goes, shows all cards and is out."""
        events: Events = []
        for seat in seats:
            if seat not in state.out and state.phase != "game_over":
                events += self._kick(state, seat, at)
        return events

    def _kick(self, state: State, seat: int, at: int) -> Events:
        state.kicked.append(seat)
        events: Events = [Kicked(seat)]
        events += [self._turn_over(state, seat, slot, "kicked") for slot, _ in list(slots(state, seat))]
        if seat == state.current:
            put_back(state)
        self._out(state, seat, events)
        if state.phase == "game_over":
            return events
        events += self._resume(state, seat, at)
        return self._settle(state, seat, at, events)

    def _settle(self, state: State, seat: int, at: int, events: Events) -> Events:
        """U63: nothing waits for somebody who was kicked."""
        kind = window(state)
        if kind is not None:
            if seat in (state.current, state.target, state.blocker):
                events.append(Passed("kicked", seat, state.current))
                return self._next_turn(state, at, events)
            if seat in state.responders:
                state.responders.remove(seat)
                if state.options.confirm_policy == "all" and not state.responders:
                    return self._close_window(state, at, events)
        elif state.phase == "losing_card":
            if seat == state.loser:
                return self._go_on(state, at, events)
        elif seat == state.current:
            return self._next_turn(state, at, events)
        return events

    # What can be seen

    def view(self, state: State, seat: int | None) -> View:
        return position.seen(state, seat)

    def done(self, state: State, seat: int) -> bool:
        return seat in state.out

    def lay_open(self, state: State, seat: int | None) -> View:
        cards = tuple([position.shown(state, player, True) for player in range(len(state.hands))])
        return msgspec.structs.replace(self.view(state, seat), cards=cards)

    def imagine(self, state: State, seat: int | None, dice: Dice) -> State:
        own = None if seat is None else state.seats.index(seat)
        cards = memory.imagined(state, own, dice)
        return msgspec.structs.replace(
            state,
            chance=Chance(bytes(dice.below(256) for _ in range(32))),
            faces=cards,
            deck=state.deck.copy(),
            seats=state.seats.copy(),
            hands=[hand.copy() for hand in state.hands],
            lost=[lost.copy() for lost in state.lost],
            coins=state.coins.copy(),
            allowed=state.allowed.copy(),
            responders=state.responders.copy(),
            drawn=state.drawn.copy(),
            out=state.out.copy(),
            kicked=state.kicked.copy(),
            away=state.away.copy(),
            clues=memory.remembered(state.clues, own, cards, dice),
            lacks=[msgspec.structs.replace(lack) for lack in state.lacks],
        )

    def result(self, state: State) -> Result | None:
        if state.phase != "game_over":
            return None
        winner = next_living(state, state.current)
        return Result(((winner,), *((seat,) for seat in reversed(state.out))))

    def sounds(self, options: Options) -> Sequence[str]:
        return SOUNDS if options.sounds else ()  # D64

    def tell(self, event: AnyEvent, names: Sequence[str], words: Words = ENGLISH) -> str:
        return stories.tell(event, names, words)

    def show(self, view: View, names: Sequence[str]) -> str:
        return terminal.show(view, names)

    def label(self, move: AnyMove, view: View, names: Sequence[str]) -> str:
        return terminal.label(move, view, names)


PLAYS: dict[type[Any], Callable[[Coup, State, int, Any, int], Events]] = {
    Propose: Coup._propose,
    Allow: Coup._allow,
    Accept: Coup._accept,
    CallBs: Coup._call_bs,
    Block: Coup._block,
    Confirm: Coup._confirm,
    Withdraw: Coup._withdraw,
    Lose: Coup._lose_card,
    Keep: Coup._keep,
}


def shuffled_deck(chance: Chance) -> list[Character]:
    """U2."""
    cards = list(DECK)
    chance.shuffle(cards, "deck")
    return cards


def reshuffle(state: State) -> None:
    """What the cards of the deck show is shuffled, which is the same as to shuffle the cards."""
    faces = state.faces
    stock = [faces[card] for card in state.deck]
    state.chance.shuffle(stock, "reshuffle")
    for place, card in enumerate(state.deck):
        faces[card] = stock[place]


def put_back(state: State) -> None:
    """U63: an exchange that can't be finished. The cards go to the bottom of the deck; who drew them has seen them."""
    state.deck += state.drawn
    state.clues += [Clue([state.faces[card]], [card], state.current) for card in state.drawn]
    state.drawn = []


def clear(state: State) -> None:
    """Nothing is open or pending. Most of it is so already, and a look is much quicker than to write into a struct."""
    if state.action is not None:
        state.action = state.target = None
    if state.blocker is not None:
        state.blocker = state.block_as = None
    if state.block_only:
        state.block_only = False
    if state.confirmed:
        state.confirmed = False
    state.allowed.clear()
    state.responders.clear()
    if state.loser is not None:
        state.loser = state.reason = None
        state.then = "turn"
