// Plays {{ title }}: reads, lets the bot choose, and answers.
package main

import "os"

func main() {
	game := NewGame(os.Getenv("PALESTRA_PACKETS"))
	game.ReadStart()
	for game.ReadTurn() {
		os.Stdout.WriteString(TextOf(Choose(game)))
	}
}
