// Plays {{ title }}: reads, lets the bot choose, and answers.
'use strict';
const { choose } = require('./bot');
const { Game, send, textOf } = require('./protocol');

const game = new Game(process.env.PALESTRA_PACKETS);
game.readStart();
while (game.readTurn()) send(textOf(choose(game)));
