// People at the rooms of colyseus_counting.mjs, by Colyseus' own client. Whoever loses the connection reconnects, and if
// that is refused joins the room anew, again and again, by whichever process answers.
//
// Says {"playing": …} when everybody plays; hears a line when a process has been killed; says then what was lost.
import { createInterface } from 'node:readline';
import { Client } from 'colyseus.js';

const { hosts, tables, seats, pause, patience } = JSON.parse(process.argv[2]);
const soon = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
let next = 0;
const client = () => new Client(`http://${hosts[next++ % hosts.length]}`); // as by a balancer

class Person {
  acknowledged = 0; // the number of the last move that was
  lost = false; // whether the connection ever was
  since = 0; // moves that were acknowledged since the kill
  refusal = '';

  constructor(table) {
    this.table = table;
  }

  sit(room) {
    this.room = room;
    room.onStateChange((state) => this.look(state));
    room.onMessage('acknowledged', (number) => {
      this.acknowledged = number;
      if (this.table.killed) this.since += 1;
    });
    room.onError(() => {});
    room.onLeave(() => this.comeBack());
  }

  // As the room knows them; undefined while they are not there, or have not been told yet.
  get seat() {
    return this.room?.state.players?.get(this.room.sessionId);
  }

  look(state) {
    if (this.seat === undefined || state.players.size < seats || state.turn !== this.seat.seat) return;
    if (this.table.asked === state.moves) return; // it has been asked for already
    this.table.asked = state.moves;
    const { room } = this;
    setTimeout(() => room === this.room && room.connection.isOpen && room.send('move'), 2 * pause * Math.random());
  }

  async comeBack() {
    const { reconnectionToken, roomId } = this.room;
    this.lost = true;
    this.room = null;
    this.table.asked = -1; // what was asked for may not have been heard
    while (this.room === null) {
      await soon(500);
      try {
        this.sit(await client().reconnect(reconnectionToken));
      } catch (error) {
        this.refusal = error.message || this.refusal; // there is no message where nobody answers
        await client().joinById(roomId).then((room) => this.sit(room), () => {});
      }
    }
  }

  // Moves that were acknowledged and that the room knows nothing of.
  get missing() {
    return Math.max(0, this.acknowledged - (this.seat?.moves ?? 0));
  }
}

class Table {
  asked = -1;
  killed = false;

  async open() {
    this.people = [];
    for (let number = 0; number < seats; number++) {
      const person = new Person(this);
      person.sit(await (number ? client().joinById(this.people[0].room.roomId) : client().create('counting', { seats })));
      this.people.push(person);
    }
  }

  get hit() {
    return this.people.some((person) => person.lost);
  }

  get gone() {
    return this.people.every((person) => !person.seat);
  }

  get wentOn() {
    return this.people.every((person) => person.seat) && this.people.some((person) => person.since > 0);
  }
}

const all = Array.from({ length: tables }, () => new Table());
for (const table of all) {
  await table.open();
  await soon(250); // processes tell each other once a second how many rooms they have, and the next goes to who has fewest
}

// Where only connections are cut, everybody comes back: so whoever can't later was not lost here.
const people = all.flatMap((table) => table.people);
for (const person of people) person.room.connection.transport.ws.terminate();
while (!people.every((person) => person.lost && person.seat)) await soon(100);
for (const person of people) {
  if (person.missing) throw new Error('a move was lost with a connection');
  person.lost = false;
}
console.log(JSON.stringify({ playing: tables }));

for await (const _ of createInterface({ input: process.stdin })) {
  const sum = (numbers) => numbers.reduce((one, other) => one + other, 0);
  const acknowledged = sum(people.map((person) => person.acknowledged));
  for (const table of all) table.killed = true;
  const until = Date.now() + 1000 * patience;
  while (Date.now() < until && !all.every((table) => table.wentOn)) await soon(100);
  const out = people.filter((person) => !person.seat);
  console.log(
    JSON.stringify({
      tables,
      hit: all.filter((table) => table.hit).length,
      acknowledged,
      tables_gone: all.filter((table) => table.gone).length,
      moves_gone: sum(people.map((person) => person.missing)),
      people_out: out.length,
      went_on: all.filter((table) => table.wentOn).length,
      refusal: out[0]?.refusal ?? '',
    }),
  );
  process.exit(0);
}
