<?php
// Your bot. This one takes whatever it can beat, otherwise it marches to the front. Make it better!
require_once __DIR__ . '/protocol.php';

/** The answer to a turn: rest(), moveAll(...) or moveHalf(...). Cells are counted from 0 here, row by row. */
function choose(Game $game): string
{
    $steps = stepsTo($game, fn (Cell $cell) => $cell->owner !== $game->me, 'blocked');
    $best = rest();
    $bestValue = 0;
    foreach ($game->cells as $here => $cell) {
        if ($cell->owner !== $game->me || $cell->units < 2) {
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
                $value = $steps[$there] < $steps[$here] ? $cell->units : 0;
            } elseif ($target->units < $cell->units - 1) {
                $value = $cell->units + worth($target);
            }
            if ($value > $bestValue) {
                $bestValue = $value;
                $best = moveAll(
                    intdiv($here, $game->columns) + 1,
                    $here % $game->columns + 1,
                    intdiv($there, $game->columns) + 1,
                    $there % $game->columns + 1
                );
            }
        }
    }
    return $best;
}

/** Capitals first, then what belongs to somebody, then cities, then land. */
function worth(Cell $cell): int
{
    if ($cell->kind === CAPITAL) {
        return 1000000;
    }
    return $cell->owner ? 3000 : ($cell->kind === CITY ? 2000 : 1000);
}

/** A hidden cell that looks like a city may as well be a mountain. */
function blocked(Cell $cell): bool
{
    return $cell->kind === MOUNTAIN || !$cell->visible && $cell->kind === CITY;
}
