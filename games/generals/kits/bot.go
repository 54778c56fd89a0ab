// Your bot. This one takes whatever it can beat, otherwise it marches to the front. Make it better!
package main

// Choose answers a turn: Rest(), MoveAll(...) or MoveHalf(...). Cells are counted from 0 here, row by row.
func Choose(game *Game) string {
	steps := stepsToFront(game)
	best, bestValue := Rest(), 0
	for here, cell := range game.Cells {
		if cell.Owner != game.Me || cell.Units < 2 {
			continue
		}
		for _, there := range neighbours(game, here) {
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
	if cell >= game.Columns {
		found = append(found, cell-game.Columns)
	}
	if cell+game.Columns < len(game.Cells) {
		found = append(found, cell+game.Columns)
	}
	if cell%game.Columns > 0 {
		found = append(found, cell-1)
	}
	if cell%game.Columns+1 < game.Columns {
		found = append(found, cell+1)
	}
	return found
}
