import java.io.IOException;

/** Plays {{ title }}: reads, lets the bot choose, and answers. */
final class Main {
    public static void main(String[] arguments) throws IOException {
        Protocol.Game game = new Protocol.Game(System.getenv("PALESTRA_PACKETS"));
        game.readStart();
        while (game.readTurn()) {
            System.out.print(Protocol.textOf(Bot.choose(game)));
            System.out.flush();
        }
    }
}
