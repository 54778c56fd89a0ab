// Your bot. This one takes whatever it can beat, otherwise it marches to the front. Make it better!
using static Protocol;

static class Bot {
    /// The answer to a turn: Nothing(), MoveArmy(...), BuildWall(...) or BuildCity(...). Cells are counted from 0 here, row by row.
    public static string Choose(Game game) {
        int[] steps = StepsTo(game, one => one.Owner != game.Me, Blocked);
        string best = Nothing();
        long bestValue = 0;
        for (int here = 0; here < game.Cells.Count; here++) {
            Cell cell = game.Cells[here];
            if (cell.Owner != game.Me || cell.Army < 2) continue;
            foreach (int there in Neighbours(game, here)) {
                Cell target = game.Cells[there];
                long value = 0;
                if (Blocked(target)) continue;
                if (target.Owner == game.Me) {
                    if (steps[there] < steps[here]) value = cell.Army; // nothing to take here: march
                } else if (Strength(target) <= 10 * (cell.Army - 2)) {
                    value = cell.Army + Worth(target);
                }
                if (value > bestValue) {
                    bestValue = value;
                    best = MoveArmy(here / game.Width, here % game.Width,
                        there / game.Width, there % game.Width, cell.Army - 1);
                }
            }
        }
        return best;
    }

    /// Capitals first, then cities, then what belongs to somebody, then land.
    static int Worth(Cell cell) {
        if (cell.Kind == Capital) return 1000000;
        return cell.Kind != Plain ? 300000 : cell.Owner != 0 ? 20000 : 10000;
    }

    /// Ten times the strength of who is there: behind a wall it is 1.3 times as much.
    static long Strength(Cell cell) {
        return cell.Army * (cell.Wall ? 13 : 10);
    }

    /// A hidden cell that is no plain looks like a mountain.
    static bool Blocked(Cell cell) {
        return cell.Kind == Mountain;
    }
}
