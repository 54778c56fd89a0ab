// Your bot. This one takes whatever it can beat, otherwise it marches to the front. Make it better!
package main

// Choose answers a turn: Rest(), MoveAll(...) or MoveHalf(...). Cells are counted from 0 here, row by row.
func Choose(game *Game) string {
	steps := StepsTo(game, func(cell Cell) bool { return cell.Owner != game.Me }, blocked)
	best, bestValue := Rest(), 0
	for here, cell := range game.Cells {
		if cell.Owner != game.Me || cell.Units < 2 {
			continue
		}
		for _, there := range Neighbours(game, here) {
			target, value := game.Cells[there], 0
			switch {
			case blocked(target):
			case target.Owner == game.Me && steps[there] < steps[here]:
				value = cell.Units // nothing to take here: march, the largest army first
			case target.Owner != game.Me && target.Units < cell.Units-1:
				value = cell.Units + worth(target)
			}
			if value > bestValue {
				bestValue = value
				best = MoveAll(here/game.Columns+1, here%game.Columns+1, there/game.Columns+1, there%game.Columns+1)
			}
		}
	}
	return best
}

// Capitals first, then what belongs to somebody, then cities, then land.
func worth(cell Cell) int {
	switch {
	case cell.Kind == Capital:
		return 1000000
	case cell.Owner != 0:
		return 3000
	case cell.Kind == City:
		return 2000
	}
	return 1000
}

// A hidden cell that looks like a city may as well be a mountain.
func blocked(cell Cell) bool {
	return cell.Kind == Mountain || !cell.Visible && cell.Kind == City
}
