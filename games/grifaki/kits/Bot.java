/** Your bot. This one takes whatever it can beat, otherwise it marches to the front. Make it better! */
final class Bot {
    /** The answer to a turn: nothing(), moveArmy(...), buildWall(...) or buildCity(...). Cells are counted from 0, row by row. */
    static String choose(Protocol.Game game) {
        int[] steps = Protocol.stepsTo(game, cell -> cell.owner != game.me, Bot::blocked);
        String best = Protocol.nothing();
        long bestValue = 0;
        for (int here = 0; here < game.cells.size(); here++) {
            Protocol.Cell cell = game.cells.get(here);
            if (cell.owner != game.me || cell.army < 2) continue;
            for (int there : Protocol.neighbours(game, here)) {
                Protocol.Cell target = game.cells.get(there);
                long value = 0;
                if (blocked(target)) continue;
                if (target.owner == game.me) {
                    if (steps[there] < steps[here]) value = cell.army; // nothing to take here: march
                } else if (strength(target) <= 10 * (cell.army - 2)) {
                    value = cell.army + worth(target);
                }
                if (value > bestValue) {
                    bestValue = value;
                    best = Protocol.moveArmy(here / game.width, here % game.width,
                            there / game.width, there % game.width, cell.army - 1);
                }
            }
        }
        return best;
    }

    /** Capitals first, then cities, then what belongs to somebody, then land. */
    private static int worth(Protocol.Cell cell) {
        if (cell.kind.equals(Protocol.CAPITAL)) return 1000000;
        return !cell.kind.equals(Protocol.PLAIN) ? 300000 : cell.owner != 0 ? 20000 : 10000;
    }

    /** Ten times the strength of who is there: behind a wall it is 1.3 times as much. */
    private static long strength(Protocol.Cell cell) {
        return cell.army * (cell.wall ? 13 : 10);
    }

    /** A hidden cell that is no plain looks like a mountain. */
    private static boolean blocked(Protocol.Cell cell) {
        return cell.kind.equals(Protocol.MOUNTAIN);
    }
}
