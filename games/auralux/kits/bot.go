// Your bot. This one raises its planets, then attacks the nearest weak one. Make it better!
package main

const (
	captureCost = 100
	topLevel    = 3
)

// Choose answers a turn by orders: SendShips(...), with planets counted from 1.
func Choose(game *Game) []string {
	orders := []string{}
	for here, planet := range game.Planets {
		if planet.Owner != game.Me || planet.Ships == 0 {
			continue
		}
		if planet.Level < topLevel || planet.Armor < 100*planet.Level {
			if planet.Level > 0 || planet.Ships >= captureCost {
				orders = append(orders, SendShips(here+1, here+1, planet.Ships)) // capture, repair or raise
			}
		} else if planet.Ships > captureCost {
			if target := nearestWeak(game, here); target >= 0 {
				orders = append(orders, SendShips(here+1, target+1, planet.Ships))
			}
		}
	}
	return orders
}

// The planet of somebody else that is best to attack from here, or -1.
func nearestWeak(game *Game, here int) int {
	best, bestCost := -1, 0
	for there, planet := range game.Planets {
		if planet.Owner == game.Me {
			continue
		}
		cost := game.Distances[here*game.PlanetCount+there] + (planet.Ships+planet.Armor)/2
		if best < 0 || cost < bestCost {
			best, bestCost = there, cost
		}
	}
	return best
}
