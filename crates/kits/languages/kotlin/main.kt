// Plays {{ title }}: reads, lets the bot choose, and answers.
fun main() {
    val game = Game(System.getenv("PALESTRA_PACKETS"))
    game.readStart()
    while (game.readTurn()) {
        print(textOf(choose(game)))
        System.out.flush()
    }
}
