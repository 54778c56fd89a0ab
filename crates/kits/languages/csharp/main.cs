// Plays {{ title }}: reads, lets the bot choose, and answers.
using System;

static class Program {
    static void Main() {
        var game = new Game(Environment.GetEnvironmentVariable("PALESTRA_PACKETS"));
        game.ReadStart();
        while (game.ReadTurn()) {
            Console.Write(Protocol.TextOf(Bot.Choose(game)));
            Console.Out.Flush();
        }
    }
}
