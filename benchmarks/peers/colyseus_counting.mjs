// One of several Colyseus processes that share a Redis: rooms of some people who move in turn, and a count of their moves
// in the room's state, where Colyseus keeps what a game knows. Who loses the connection may come back for a minute.
import { createServer } from 'node:http';
import { Room, Server } from '@colyseus/core';
import { RedisDriver } from '@colyseus/redis-driver';
import { RedisPresence } from '@colyseus/redis-presence';
import { MapSchema, Schema, defineTypes } from '@colyseus/schema';
import { WebSocketTransport } from '@colyseus/ws-transport';

const [port, redis] = process.argv.slice(2);
const SECONDS_TO_RETURN = 60;

class Player extends Schema {}
defineTypes(Player, { seat: 'uint8', moves: 'uint32', connected: 'boolean' });

class Counting extends Schema {}
defineTypes(Counting, { turn: 'uint8', moves: 'uint32', players: { map: Player } });

class CountingRoom extends Room {
  onCreate({ seats }) {
    this.maxClients = seats;
    this.patchRate = null; // sent right after each move, as advised for games that go by turns
    const state = new Counting();
    state.turn = 0;
    state.moves = 0;
    state.players = new MapSchema();
    this.state = state;
    this.onMessage('move', (client) => this.move(client));
  }

  onJoin(client) {
    const player = new Player();
    player.seat = this.state.players.size;
    player.moves = 0;
    player.connected = true;
    this.state.players.set(client.sessionId, player);
    this.broadcastPatch();
  }

  async onLeave(client, consented) {
    const player = this.state.players.get(client.sessionId);
    player.connected = false;
    this.broadcastPatch();
    try {
      if (consented) throw new Error('gone for good');
      await this.allowReconnection(client, SECONDS_TO_RETURN);
      player.connected = true;
      this.broadcastPatch();
    } catch {
      this.state.players.delete(client.sessionId);
    }
  }

  move(client) {
    const player = this.state.players.get(client.sessionId);
    if (player.seat !== this.state.turn || this.state.players.size < this.maxClients) return;
    player.moves += 1;
    this.state.moves += 1;
    this.state.turn = (this.state.turn + 1) % this.maxClients;
    client.send('acknowledged', player.moves);
    this.broadcastPatch();
  }
}

const http = createServer();
const server = new Server({
  transport: new WebSocketTransport({ server: http }),
  presence: new RedisPresence(redis),
  driver: new RedisDriver(redis),
  publicAddress: `127.0.0.1:${port}`,
  greet: false,
});
server.define('counting', CountingRoom);
server.listen(Number(port), '127.0.0.1').then(() => console.log(JSON.stringify({ port: Number(port) })));
