// Lets the bot answer every turn of the match in packets.txt.
fun main() {
    val game = Game("packets.txt")
    var turns = 0
    game.readStart()
    while (game.readTurn()) {
        turns++
        check(textOf(choose(game)).endsWith("\n")) { "turn $turns" }
    }
    check(turns == {{ turns }}) { "$turns turns, not {{ turns }}" }
    println("all $turns turns are answered")
}
