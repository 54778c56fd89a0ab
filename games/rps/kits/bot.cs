// Your bot. This one sends every unit to the nearest base, and then to the enemy's factory. Make it better!
using System;
using System.Collections.Generic;
using static Protocol;

static class Bot {
    const int Last = 19; // your factory is at (0, 0), the enemy's at (Last, Last)
    static readonly List<string> Kinds = new List<string> { Rock, Paper, Scissors }; // each beats the one before it

    /// The lines of an answer: Step(id, direction) and Produce(kind).
    public static List<string> Choose(Game game) {
        int allies = game.Soldiers.FindAll(soldier => soldier.Side == Ally).Count;
        var answer = new List<string> { Produce(Kinds[allies % 3]) };
        foreach (Soldier soldier in game.Soldiers) {
            if (soldier.Side != Ally) continue;
            int[] goal = Goal(game, soldier);
            int dx = Math.Sign(goal[0] - soldier.X), dy = Math.Sign(goal[1] - soldier.Y);
            if (dx != 0 && IsFree(game, soldier, soldier.X + dx, soldier.Y)) {
                answer.Add(Step(soldier.Id, dx > 0 ? Right : Left));
                soldier.X += dx;
            } else if (dy != 0 && IsFree(game, soldier, soldier.X, soldier.Y + dy)) {
                answer.Add(Step(soldier.Id, dy > 0 ? Down : Up));
                soldier.Y += dy;
            }
        }
        return answer;
    }

    /// The nearest of the enemy's factory and the bases that are not ours.
    static int[] Goal(Game game, Soldier soldier) {
        var goals = new List<int[]> { new[] { Last, Last } };
        if (game.BaseR != Ally) goals.Add(new[] { Last, 0 });
        if (game.BaseD != Ally) goals.Add(new[] { 0, Last });
        int[] best = goals[0];
        foreach (int[] goal in goals) {
            if (Steps(soldier, goal) < Steps(soldier, best)) best = goal;
        }
        return best;
    }

    static int Steps(Soldier soldier, int[] place) {
        return Math.Abs(place[0] - soldier.X) + Math.Abs(place[1] - soldier.Y);
    }

    /// Whether nobody is there but an enemy that it beats.
    static bool IsFree(Game game, Soldier soldier, int x, int y) {
        Soldier other = game.Soldiers.Find(one => one.X == x && one.Y == y);
        return other == null || other.Side != Ally && Beats(soldier.Kind, other.Kind);
    }

    static bool Beats(string kind, string other) {
        return Kinds.IndexOf(kind) == (Kinds.IndexOf(other) + 1) % 3;
    }
}
