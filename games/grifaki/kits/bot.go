// Your bot. This one takes whatever it can beat, otherwise it marches to the front. Make it better!
package main

// Choose answers a turn: Nothing(), MoveArmy(...), BuildWall(...) or BuildCity(...). Cells are counted from 0, row by row.
func Choose(game *Game) string {
	steps := stepsToFront(game)
	best, bestValue := Nothing(), 0
	for here, cell := range game.Cells {
		if cell.Owner != game.Me || cell.Army < 2 {
			continue
		}
		for _, there := range neighbours(game, here) {
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

// For every cell, how many steps it is to the nearest one that is not ours: a breadth-first search.
func stepsToFront(game *Game) []int {
	steps, queue := make([]int, len(game.Cells)), []int{}
	for i, cell := range game.Cells {
		steps[i] = -1
		if cell.Owner != game.Me && !blocked(cell) {
			steps[i] = 0
			queue = append(queue, i)
		}
	}
	for at := 0; at < len(queue); at++ {
		for _, other := range neighbours(game, queue[at]) {
			if steps[other] < 0 && !blocked(game.Cells[other]) {
				steps[other] = steps[queue[at]] + 1
				queue = append(queue, other)
			}
		}
	}
	return steps
}

func neighbours(game *Game, cell int) []int {
	found := make([]int, 0, 4)
	if cell >= game.Width {
		found = append(found, cell-game.Width)
	}
	if cell+game.Width < len(game.Cells) {
		found = append(found, cell+game.Width)
	}
	if cell%game.Width > 0 {
		found = append(found, cell-1)
	}
	if cell%game.Width+1 < game.Width {
		found = append(found, cell+1)
	}
	return found
}
