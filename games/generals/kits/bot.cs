// Your bot. This one takes whatever it can beat, otherwise it marches to the front. Make it better!
using static Protocol;

static class Bot {
    /// The answer to a turn: Rest(), MoveAll(...) or MoveHalf(...). Cells are counted from 0 here, row by row.
    public static string Choose(Game game) {
        int[] steps = StepsTo(game, one => one.Owner != game.Me, Blocked);
        string best = Rest();
        long bestValue = 0;
        for (int here = 0; here < game.Cells.Count; here++) {
            Cell cell = game.Cells[here];
            if (cell.Owner != game.Me || cell.Units < 2) continue;
            foreach (int there in Neighbours(game, here)) {
                Cell target = game.Cells[there];
                long value = 0;
                if (Blocked(target)) continue;
                if (target.Owner == game.Me) {
                    if (steps[there] < steps[here]) value = cell.Units; // nothing to take here: march
                } else if (target.Units < cell.Units - 1) {
                    value = cell.Units + Worth(target);
                }
                if (value > bestValue) {
                    bestValue = value;
                    best = MoveAll(here / game.Columns + 1, here % game.Columns + 1,
                        there / game.Columns + 1, there % game.Columns + 1);
                }
            }
        }
        return best;
    }

    /// Capitals first, then what belongs to somebody, then cities, then land.
    static int Worth(Cell cell) {
        if (cell.Kind == Capital) return 1000000;
        return cell.Owner != 0 ? 3000 : cell.Kind == City ? 2000 : 1000;
    }

    /// A hidden cell that looks like a city may as well be a mountain.
    static bool Blocked(Cell cell) {
        return cell.Kind == Mountain || !cell.Visible && cell.Kind == City;
    }
}
