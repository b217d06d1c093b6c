// The same fan-out on Node's ws.
import { WebSocketServer } from 'ws';

const tables = new Map();

const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false }, () => {
  console.log(JSON.stringify({ port: server.address().port }));
});

server.on('connection', (socket, request) => {
  const name = request.url.split('/').pop();
  let table = tables.get(name);
  if (!table) tables.set(name, (table = { turn: 0, seats: [] }));
  const number = table.seats.push(socket) - 1;
  socket.on('message', (data) => {
    const { move } = JSON.parse(data);
    if (table.turn !== number) return;
    table.turn = (number + 1) % table.seats.length;
    const message = JSON.stringify(told(number, table.turn, move));
    for (const seat of table.seats) seat.send(message);
  });
});

function told(seat, turn, move) {
  return {
    type: 'fact',
    seq: 5,
    at: 1794793548623,
    entry: { entry: 'moved', seat },
    events: [{ event: 'played', seat, cards: move.cards }, { event: 'turn', seat: turn }],
    clocks: [{ due: 1794793598623, seats: [turn], name: 'turn' }],
    turn,
  };
}
