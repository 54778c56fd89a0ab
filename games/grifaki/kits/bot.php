<?php
// Your bot. This one takes whatever it can beat, otherwise it marches to the front. Make it better!
require_once __DIR__ . '/protocol.php';

/** The answer to a turn: nothing(), moveArmy(...), buildWall(...) or buildCity(...). Cells are counted from 0, row by row. */
function choose(Game $game): string
{
    $steps = stepsTo($game, fn (Cell $cell) => $cell->owner !== $game->me, 'blocked');
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
