import java.io.IOException;

/** Lets the bot answer every turn of the match in packets.txt. */
final class BotTest {
    public static void main(String[] arguments) throws IOException {
        Protocol.Game game = new Protocol.Game("packets.txt");
        int turns = 0;
        game.readStart();
        while (game.readTurn()) {
            turns++;
            if (!Protocol.textOf(Bot.choose(game)).endsWith("\n")) throw new AssertionError("turn " + turns);
        }
        if (turns != {{ turns }}) throw new AssertionError(turns + " turns, not {{ turns }}");
        System.out.println("all " + turns + " turns are answered");
    }
}
