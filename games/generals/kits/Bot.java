/** Your bot. This one takes whatever it can beat, otherwise it marches to the front. Make it better! */
final class Bot {
    /** The answer to a turn: rest(), moveAll(...) or moveHalf(...). Cells are counted from 0 here, row by row. */
    static String choose(Protocol.Game game) {
        int[] steps = Protocol.stepsTo(game, cell -> cell.owner != game.me, Bot::blocked);
        String best = Protocol.rest();
        long bestValue = 0;
        for (int here = 0; here < game.cells.size(); here++) {
            Protocol.Cell cell = game.cells.get(here);
            if (cell.owner != game.me || cell.units < 2) continue;
            for (int there : Protocol.neighbours(game, here)) {
                Protocol.Cell target = game.cells.get(there);
                long value = 0;
                if (blocked(target)) continue;
                if (target.owner == game.me) {
                    if (steps[there] < steps[here]) value = cell.units; // nothing to take here: march
                } else if (target.units < cell.units - 1) {
                    value = cell.units + worth(target);
                }
                if (value > bestValue) {
                    bestValue = value;
                    best = Protocol.moveAll(here / game.columns + 1, here % game.columns + 1,
                            there / game.columns + 1, there % game.columns + 1);
                }
            }
        }
        return best;
    }

    /** Capitals first, then what belongs to somebody, then cities, then land. */
    private static int worth(Protocol.Cell cell) {
        if (cell.kind == Protocol.CAPITAL) return 1000000;
        return cell.owner != 0 ? 3000 : cell.kind == Protocol.CITY ? 2000 : 1000;
    }

    /** A hidden cell that looks like a city may as well be a mountain. */
    private static boolean blocked(Protocol.Cell cell) {
        return cell.kind == Protocol.MOUNTAIN || !cell.visible && cell.kind == Protocol.CITY;
    }
}
