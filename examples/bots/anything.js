// Any legal move, in any game.
const lines = require('node:readline').createInterface({ input: process.stdin })

lines.on('line', (line) => {
  const { moves } = JSON.parse(line)
  console.log(Math.floor(Math.random() * moves.length))
})
