// Your bot. This one takes whatever it can beat, otherwise it marches to the front. Make it better!
package main

// Choose answers a turn: Nothing(), MoveArmy(...), BuildWall(...) or BuildCity(...). Cells are counted from 0, row by row.
func Choose(game *Game) string {
	steps := StepsTo(game, func(cell Cell) bool { return cell.Owner != game.Me }, blocked)
	best, bestValue := Nothing(), 0
	for here, cell := range game.Cells {
		if cell.Owner != game.Me || cell.Army < 2 {
			continue
		}
		for _, there := range Neighbours(game, here) {
			target, value := game.Cells[there], 0
			switch {
			case blocked(target):
			case target.Owner == game.Me && steps[there] < steps[here]:
				value = cell.Army // nothing to take here: march, the largest army first
			case target.Owner != game.Me && strength(target) <= 10*(cell.Army-2):
				value = cell.Army + worth(target)
			}
			if value > bestValue {
				bestValue = value
				best = MoveArmy(here/game.Width, here%game.Width, there/game.Width, there%game.Width, cell.Army-1)
			}
		}
	}
	return best
}

// Capitals first, then cities, then what belongs to somebody, then land.
func worth(cell Cell) int {
	switch {
	case cell.Kind == Capital:
		return 1000000
	case cell.Kind != Plain:
		return 300000
	case cell.Owner != 0:
		return 20000
	}
	return 10000
}

// Ten times the strength of who is there: behind a wall it is 1.3 times as much.
func strength(cell Cell) int {
	if cell.Wall {
		return cell.Army * 13
	}
	return cell.Army * 10
}

// A hidden cell that is no plain looks like a mountain.
func blocked(cell Cell) bool {
	return cell.Kind == Mountain
}
