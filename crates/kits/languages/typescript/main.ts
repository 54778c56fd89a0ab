// Plays {{ title }}: reads, lets the bot choose, and answers.
import { choose } from './bot.ts';
import { Game, send, textOf } from './protocol.ts';

const game = new Game(process.env.PALESTRA_PACKETS);
game.readStart();
while (game.readTurn()) send(textOf(choose(game)));
