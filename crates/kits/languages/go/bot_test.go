// Lets the bot answer every turn of the match in packets.txt.
package main

import (
	"strings"
	"testing"
)

func TestEveryTurnIsAnswered(t *testing.T) {
	game, turns := NewGame("packets.txt"), 0
	game.ReadStart()
	for game.ReadTurn() {
		turns++
		if !strings.HasSuffix(TextOf(Choose(game)), "\n") {
			t.Fatal("turn", turns)
		}
	}
	if turns != {{ turns }} {
		t.Fatal(turns, "turns, not {{ turns }}")
	}
}
