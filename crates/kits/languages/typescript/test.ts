// Lets the bot answer every turn of the match in packets.txt.
import assert from 'node:assert';
import { choose } from './bot.ts';
import { Game, textOf } from './protocol.ts';

const game = new Game('packets.txt');
let turns = 0;
game.readStart();
while (game.readTurn()) {
  turns++;
  assert(textOf(choose(game)).endsWith('\n'), `turn ${turns}`);
}
assert.strictEqual(turns, {{ turns }});
console.log(`all ${turns} turns are answered`);
