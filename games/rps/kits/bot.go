// Your bot. This one sends every unit to the nearest base, and then to the enemy's factory. Make it better!
package main

// Your factory is at (0, 0), the enemy's at (last, last).
const last = 19

// Each beats the one before it.
var kinds = []string{Rock, Paper, Scissors}

// Choose answers a turn by lines: Step(id, direction) and Produce(kind).
func Choose(game *Game) []string {
	allies := 0
	for _, soldier := range game.Soldiers {
		if soldier.Side == Ally {
			allies++
		}
	}
	answer := []string{Produce(kinds[allies%3])}
	for i := range game.Soldiers {
		soldier := &game.Soldiers[i]
		if soldier.Side != Ally {
			continue
		}
		x, y := goal(game, soldier)
		dx, dy := sign(x-soldier.X), sign(y-soldier.Y)
		if dx != 0 && isFree(game, soldier, soldier.X+dx, soldier.Y) {
			answer = append(answer, Step(soldier.Id, map[int]string{1: Right, -1: Left}[dx]))
			soldier.X += dx
		} else if dy != 0 && isFree(game, soldier, soldier.X, soldier.Y+dy) {
			answer = append(answer, Step(soldier.Id, map[int]string{1: Down, -1: Up}[dy]))
			soldier.Y += dy
		}
	}
	return answer
}

// The nearest of the enemy's factory and the bases that are not ours.
func goal(game *Game, soldier *Soldier) (int, int) {
	x, y := last, last
	steps := func(x, y int) int { return abs(x-soldier.X) + abs(y-soldier.Y) }
	if game.BaseR != Ally && steps(last, 0) < steps(x, y) {
		x, y = last, 0
	}
	if game.BaseD != Ally && steps(0, last) < steps(x, y) {
		x, y = 0, last
	}
	return x, y
}

// Whether nobody is there but an enemy that it beats.
func isFree(game *Game, soldier *Soldier, x, y int) bool {
	for _, other := range game.Soldiers {
		if other.X == x && other.Y == y {
			return other.Side != Ally && beats(soldier.Kind, other.Kind)
		}
	}
	return true
}

func beats(kind, other string) bool {
	for i := range kinds {
		if kinds[i] == other {
			return kinds[(i+1)%3] == kind
		}
	}
	return false
}

func abs(number int) int {
	return number * sign(number)
}

func sign(number int) int {
	switch {
	case number > 0:
		return 1
	case number < 0:
		return -1
	}
	return 0
}
