// The same shedding game on Colyseus: a secret hand each (a view), everything else in the shared state, and a patch to
// everybody right after each move, as its documentation advises for games that go by turns.
import { createServer } from 'node:http';
import { Room, Server } from '@colyseus/core';
import { ArraySchema, MapSchema, Schema, StateView, type, view } from '@colyseus/schema';
import { WebSocketTransport } from '@colyseus/ws-transport';

const SUITS = ['♣', '♦', '♥', '♠'];
const RANKS = ['2', '3', '4', '5', '6', '7', '8', '9', '10', 'J', 'Q', 'K', 'A'];
const DECK = RANKS.flatMap((rank) => SUITS.map((suit) => rank + suit));

function fields(kind, definitions) {
  for (const [name, definition] of Object.entries(definitions)) type(definition)(kind.prototype, name);
}

class Player extends Schema {}
fields(Player, { count: 'uint8', hand: ['string'] });
view()(Player.prototype, 'hand');

class Shed extends Schema {}
fields(Shed, { turn: 'uint8', top: 'string', played: 'uint32', players: { map: Player } });

class ShedRoom extends Room {
  onCreate({ seats }) {
    this.maxClients = seats;
    this.patchRate = null;
    const state = new Shed();
    state.turn = 255;
    state.top = '';
    state.played = 0;
    state.players = new MapSchema();
    this.state = state;
    this.order = [];
    this.onMessage('play', (client) => this.play(client));
  }

  onJoin(client) {
    const player = new Player();
    player.count = 0;
    player.hand = new ArraySchema();
    this.state.players.set(client.sessionId, player);
    client.view = new StateView();
    client.view.add(player);
    this.order.push(player);
    client.userData = { seat: this.order.length - 1 };
    if (this.order.length === this.maxClients) setTimeout(() => this.deal(), 50);
  }

  deal() {
    const deck = DECK.slice();
    for (let i = deck.length - 1; i > 0; i--) {
      const j = Math.floor(Math.random() * (i + 1));
      [deck[i], deck[j]] = [deck[j], deck[i]];
    }
    const size = DECK.length / this.order.length;
    this.order.forEach((player, seat) => {
      player.hand.push(...deck.slice(seat * size, (seat + 1) * size));
      player.count = size;
    });
    this.state.turn = 0;
    this.broadcastPatch();
  }

  // The newest card of the hand: so clients need not decode their hands to play.
  play(client) {
    const { seat } = client.userData;
    if (seat !== this.state.turn) return;
    const player = this.order[seat];
    this.state.turn = (seat + 1) % this.order.length; // first in the patch, where our clients look for it
    this.state.top = player.hand.pop();
    this.state.played += 1;
    player.count -= 1;
    if (this.order.every((one) => one.count === 0)) this.deal();
    else this.broadcastPatch();
  }
}

const http = createServer();
const server = new Server({ transport: new WebSocketTransport({ server: http }), greet: false });
server.define('shed', ShedRoom);
server.listen(0, '127.0.0.1').then(() => console.log(JSON.stringify({ port: http.address().port })));
