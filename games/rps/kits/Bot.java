import java.util.ArrayList;
import java.util.List;

/** Your bot. This one sends every unit to the nearest base, and then to the enemy's factory. Make it better! */
final class Bot {
    /** Your factory is at (0, 0), the enemy's at (LAST, LAST). */
    private static final int LAST = 19;
    /** Each beats the one before it. */
    private static final List<String> KINDS = List.of(Protocol.ROCK, Protocol.PAPER, Protocol.SCISSORS);

    /** The lines of an answer: step(id, direction) and produce(kind). */
    static List<String> choose(Protocol.Game game) {
        List<String> answer = new ArrayList<>();
        long allies = game.soldiers.stream().filter(Bot::isAlly).count();
        answer.add(Protocol.produce(KINDS.get((int) (allies % 3))));
        for (Protocol.Soldier soldier : game.soldiers) {
            if (!isAlly(soldier)) continue;
            int[] goal = goal(game, soldier);
            int dx = Integer.signum(goal[0] - soldier.x);
            int dy = Integer.signum(goal[1] - soldier.y);
            if (dx != 0 && isFree(game, soldier, soldier.x + dx, soldier.y)) {
                answer.add(Protocol.step(soldier.id, dx > 0 ? Protocol.RIGHT : Protocol.LEFT));
                soldier.x += dx;
            } else if (dy != 0 && isFree(game, soldier, soldier.x, soldier.y + dy)) {
                answer.add(Protocol.step(soldier.id, dy > 0 ? Protocol.DOWN : Protocol.UP));
                soldier.y += dy;
            }
        }
        return answer;
    }

    private static boolean isAlly(Protocol.Soldier soldier) {
        return soldier.side.equals(Protocol.ALLY);
    }

    /** The nearest of the enemy's factory and the bases that are not ours. */
    private static int[] goal(Protocol.Game game, Protocol.Soldier soldier) {
        List<int[]> goals = new ArrayList<>();
        goals.add(new int[] {LAST, LAST});
        if (!game.baseR.equals(Protocol.ALLY)) goals.add(new int[] {LAST, 0});
        if (!game.baseD.equals(Protocol.ALLY)) goals.add(new int[] {0, LAST});
        int[] best = goals.get(0);
        for (int[] goal : goals) {
            if (steps(soldier, goal) < steps(soldier, best)) best = goal;
        }
        return best;
    }

    private static int steps(Protocol.Soldier soldier, int[] place) {
        return Math.abs(place[0] - soldier.x) + Math.abs(place[1] - soldier.y);
    }

    /** Whether nobody is there but an enemy that it beats. */
    private static boolean isFree(Protocol.Game game, Protocol.Soldier soldier, int x, int y) {
        for (Protocol.Soldier other : game.soldiers) {
            if (other.x == x && other.y == y) return !isAlly(other) && beats(soldier.kind, other.kind);
        }
        return true;
    }

    private static boolean beats(String kind, String other) {
        return KINDS.indexOf(kind) == (KINDS.indexOf(other) + 1) % 3;
    }
}
