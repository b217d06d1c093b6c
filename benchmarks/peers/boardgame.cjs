// A shedding game on boardgame.io, state in its own memory store: a secret hand each, one card a turn onto the pile.
const { createServer } = require('node:net');
const { Server } = require('boardgame.io/server');
const { PlayerView } = require('boardgame.io/core');

const SUITS = ['♣', '♦', '♥', '♠'];
const RANKS = ['2', '3', '4', '5', '6', '7', '8', '9', '10', 'J', 'Q', 'K', 'A'];
const DECK = RANKS.flatMap((rank) => SUITS.map((suit) => rank + suit));

function deal(G, ctx, random) {
  const deck = random.Shuffle(DECK);
  const size = DECK.length / ctx.numPlayers;
  G.pile = [];
  G.players = {};
  for (let seat = 0; seat < ctx.numPlayers; seat++) {
    G.players[seat] = { hand: deck.slice(seat * size, (seat + 1) * size) };
  }
  G.counts = Array(ctx.numPlayers).fill(size);
  return G;
}

const shed = {
  name: 'shed',
  setup: ({ ctx, random }) => deal({}, ctx, random),
  playerView: PlayerView.STRIP_SECRETS,
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    // client: false, as the documentation asks of moves that see secrets.
    play: {
      client: false,
      move: ({ G, ctx, playerID, random }, card) => {
        const { hand } = G.players[playerID];
        const at = hand.indexOf(card);
        if (at < 0) return 'INVALID_MOVE';
        hand.splice(at, 1);
        G.counts[playerID] -= 1;
        G.pile.push(card);
        if (G.counts.every((count) => count === 0)) deal(G, ctx, random); // and so on
      },
    },
  },
};

// Its server wants a number for its port, and does not say which one it got for 0.
const probe = createServer().listen(0, '127.0.0.1', () => {
  const { port } = probe.address();
  probe.close(() => {
    Server({ games: [shed], origins: ['*'] }).run(port, () => console.log(JSON.stringify({ port })));
  });
});
