import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Your bot. This one takes whatever it can beat, otherwise it marches to the front. Make it better! */
final class Bot {
    /** The answer to a turn: rest(), moveAll(...) or moveHalf(...). Cells are counted from 0 here, row by row. */
    static String choose(Protocol.Game game) {
        int[] steps = stepsToFront(game);
        String best = Protocol.rest();
        long bestValue = 0;
        for (int here = 0; here < game.cells.size(); here++) {
            Protocol.Cell cell = game.cells.get(here);
            if (cell.owner != game.me || cell.units < 2) continue;
            for (int there : neighbours(game, here)) {
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

    /** For every cell, how many steps it is to the nearest one that is not ours: a breadth-first search. */
    private static int[] stepsToFront(Protocol.Game game) {
        int[] steps = new int[game.cells.size()];
        List<Integer> queue = new ArrayList<>();
        Arrays.fill(steps, -1);
        for (int cell = 0; cell < steps.length; cell++) {
            if (game.cells.get(cell).owner != game.me && !blocked(game.cells.get(cell))) {
                steps[cell] = 0;
                queue.add(cell);
            }
        }
        for (int at = 0; at < queue.size(); at++) {
            for (int other : neighbours(game, queue.get(at))) {
                if (steps[other] < 0 && !blocked(game.cells.get(other))) {
                    steps[other] = steps[queue.get(at)] + 1;
                    queue.add(other);
                }
            }
        }
        return steps;
    }

    private static List<Integer> neighbours(Protocol.Game game, int cell) {
        List<Integer> found = new ArrayList<>();
        if (cell >= game.columns) found.add(cell - game.columns);
        if (cell + game.columns < game.rows * game.columns) found.add(cell + game.columns);
        if (cell % game.columns > 0) found.add(cell - 1);
        if (cell % game.columns + 1 < game.columns) found.add(cell + 1);
        return found;
    }
}
