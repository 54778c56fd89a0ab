<?php
// Plays {{ title }}: reads, lets the bot choose, and answers.
require __DIR__ . '/bot.php';

$game = new Game(getenv('PALESTRA_PACKETS') ?: null);
$game->readStart();
while ($game->readTurn()) {
    fwrite(STDOUT, textOf(choose($game)));
}
