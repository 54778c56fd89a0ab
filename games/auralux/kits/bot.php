<?php
// Your bot. This one raises its planets, then attacks the nearest weak one. Make it better!
require_once __DIR__ . '/protocol.php';

const CAPTURE_COST = 100;
const TOP_LEVEL = 3;

/** The orders of a turn: sendShips(...), with planets counted from 1. */
function choose(Game $game): array
{
    $orders = [];
    foreach ($game->planets as $here => $planet) {
        if ($planet->owner !== $game->me || $planet->ships === 0) {
            continue;
        }
        if ($planet->level < TOP_LEVEL || $planet->armor < 100 * $planet->level) {
            if ($planet->level > 0 || $planet->ships >= CAPTURE_COST) {
                $orders[] = sendShips($here + 1, $here + 1, $planet->ships); // capture, repair or raise
            }
        } elseif ($planet->ships > CAPTURE_COST) {
            $target = nearestWeak($game, $here);
            if ($target !== null) {
                $orders[] = sendShips($here + 1, $target + 1, $planet->ships);
            }
        }
    }
    return $orders;
}

/** The planet of somebody else that is best to attack from here. */
function nearestWeak(Game $game, int $here): ?int
{
    $best = null;
    $bestCost = 0;
    foreach ($game->planets as $there => $planet) {
        if ($planet->owner === $game->me) {
            continue;
        }
        $cost = $game->distances[$here * $game->planetCount + $there] + intdiv($planet->ships + $planet->armor, 2);
        if ($best === null || $cost < $bestCost) {
            $best = $there;
            $bestCost = $cost;
        }
    }
    return $best;
}
