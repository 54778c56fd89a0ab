import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Your bot. This one takes whatever it can beat, otherwise it marches to the front. Make it better! */
final class Bot {
    /** The answer to a turn: nothing(), moveArmy(...), buildWall(...) or buildCity(...). Cells are counted from 0, row by row. */
    static String choose(Protocol.Game game) {
        int[] steps = stepsToFront(game);
        String best = Protocol.nothing();
        long bestValue = 0;
        for (int here = 0; here < game.cells.size(); here++) {
            Protocol.Cell cell = game.cells.get(here);
            if (cell.owner != game.me || cell.army < 2) continue;
            for (int there : neighbours(game, here)) {
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
        if (cell >= game.width) found.add(cell - game.width);
        if (cell + game.width < game.height * game.width) found.add(cell + game.width);
        if (cell % game.width > 0) found.add(cell - 1);
        if (cell % game.width + 1 < game.width) found.add(cell + 1);
        return found;
    }
}
