// Lets the bot answer every turn of the match in packets.txt.
using System;

static class Program {
    static void Main() {
        var game = new Game("packets.txt");
        int turns = 0;
        game.ReadStart();
        while (game.ReadTurn()) {
            turns++;
            if (!Protocol.TextOf(Bot.Choose(game)).EndsWith("\n")) throw new Exception("turn " + turns);
        }
        if (turns != {{ turns }}) throw new Exception(turns + " turns, not {{ turns }}");
        Console.WriteLine("all " + turns + " turns are answered");
    }
}
