<?php
// Your bot. This one takes whatever it can beat, otherwise it marches to the front. Make it better!
require_once __DIR__ . '/protocol.php';

/** The answer to a turn: nothing(), moveArmy(...), buildWall(...) or buildCity(...). Cells are counted from 0, row by row. */
function choose(Game $game): string
{
    $steps = stepsToFront($game);
    $best = nothing();
    $bestValue = 0;
    foreach ($game->cells as $here => $cell) {
        if ($cell->owner !== $game->me || $cell->army < 2) {
            continue;
        }
        foreach (neighbours($game, $here) as $there) {
            $target = $game->cells[$there];
            $value = 0;
            if (blocked($target)) {
                continue;
            }
            if ($target->owner === $game->me) {
                // Nothing to take here: march, the largest army first.
                $value = $steps[$there] < $steps[$here] ? $cell->army : 0;
            } elseif (strength($target) <= 10 * ($cell->army - 2)) {
                $value = $cell->army + worth($target);
            }
            if ($value > $bestValue) {
                $bestValue = $value;
                $best = moveArmy(
                    intdiv($here, $game->width),
                    $here % $game->width,
                    intdiv($there, $game->width),
                    $there % $game->width,
                    $cell->army - 1
                );
            }
        }
    }
    return $best;
}

/** Capitals first, then cities, then what belongs to somebody, then land. */
function worth(Cell $cell): int
{
    if ($cell->kind === CAPITAL) {
        return 1000000;
    }
    return $cell->kind !== PLAIN ? 300000 : ($cell->owner ? 20000 : 10000);
}

/** Ten times the strength of who is there: behind a wall it is 1.3 times as much. */
function strength(Cell $cell): int
{
    return $cell->army * ($cell->wall ? 13 : 10);
}

/** A hidden cell that is no plain looks like a mountain. */
function blocked(Cell $cell): bool
{
    return $cell->kind === MOUNTAIN;
}

/** For every cell, how many steps it is to the nearest one that is not ours: a breadth-first search. */
function stepsToFront(Game $game): array
{
    $steps = $queue = [];
    foreach ($game->cells as $i => $cell) {
        $front = $cell->owner !== $game->me && !blocked($cell);
        $steps[] = $front ? 0 : -1;
        if ($front) {
            $queue[] = $i;
        }
    }
    for ($at = 0; $at < count($queue); $at++) {
        foreach (neighbours($game, $queue[$at]) as $other) {
            if ($steps[$other] < 0 && !blocked($game->cells[$other])) {
                $steps[$other] = $steps[$queue[$at]] + 1;
                $queue[] = $other;
            }
        }
    }
    return $steps;
}

function neighbours(Game $game, int $cell): array
{
    $found = [];
    if ($cell >= $game->width) {
        $found[] = $cell - $game->width;
    }
    if ($cell + $game->width < count($game->cells)) {
        $found[] = $cell + $game->width;
    }
    if ($cell % $game->width > 0) {
        $found[] = $cell - 1;
    }
    if ($cell % $game->width + 1 < $game->width) {
        $found[] = $cell + 1;
    }
    return $found;
}
