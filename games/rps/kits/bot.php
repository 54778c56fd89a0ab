<?php
// Your bot. This one sends every unit to the nearest base, and then to the enemy's factory. Make it better!
require_once __DIR__ . '/protocol.php';

const LAST = 19; // your factory is at (0, 0), the enemy's at (LAST, LAST)
const KINDS = [ROCK, PAPER, SCISSORS]; // each beats the one before it

/** The lines of an answer: step(id, direction) and produce(kind). */
function choose(Game $game): array
{
    $allies = array_filter($game->soldiers, fn($soldier) => $soldier->side === ALLY);
    $answer = [produce(KINDS[count($allies) % 3])];
    foreach ($allies as $soldier) {
        [$x, $y] = goal($game, $soldier);
        $dx = $x <=> $soldier->x;
        $dy = $y <=> $soldier->y;
        if ($dx && isFree($game, $soldier, $soldier->x + $dx, $soldier->y)) {
            $answer[] = step($soldier->id, $dx > 0 ? RIGHT : LEFT);
            $soldier->x += $dx;
        } elseif ($dy && isFree($game, $soldier, $soldier->x, $soldier->y + $dy)) {
            $answer[] = step($soldier->id, $dy > 0 ? DOWN : UP);
            $soldier->y += $dy;
        }
    }
    return $answer;
}

/** The nearest of the enemy's factory and the bases that are not ours. */
function goal(Game $game, Soldier $soldier): array
{
    $steps = fn($place) => abs($place[0] - $soldier->x) + abs($place[1] - $soldier->y);
    $best = [LAST, LAST];
    if ($game->baseR !== ALLY && $steps([LAST, 0]) < $steps($best)) {
        $best = [LAST, 0];
    }
    if ($game->baseD !== ALLY && $steps([0, LAST]) < $steps($best)) {
        $best = [0, LAST];
    }
    return $best;
}

/** Whether nobody is there but an enemy that it beats. */
function isFree(Game $game, Soldier $soldier, int $x, int $y): bool
{
    foreach ($game->soldiers as $other) {
        if ($other->x === $x && $other->y === $y) {
            return $other->side !== ALLY && beats($soldier->kind, $other->kind);
        }
    }
    return true;
}

function beats(string $kind, string $other): bool
{
    return array_search($kind, KINDS) === (array_search($other, KINDS) + 1) % 3;
}
