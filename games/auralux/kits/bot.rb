# Your bot. This one raises its planets, then attacks the nearest weak one. Make it better!
require_relative 'protocol'

CAPTURE_COST = 100
TOP_LEVEL = 3

# The orders of a turn: an array of send_ships(...), with planets counted from 1.
def choose(game)
  orders = []
  game.planets.each_with_index do |planet, here|
    next if planet.owner != game.me || planet.ships.zero?

    if planet.level < TOP_LEVEL || planet.armor < 100 * planet.level
      # Capture, repair or raise.
      able = planet.level.positive? || planet.ships >= CAPTURE_COST
      orders << send_ships(here + 1, here + 1, planet.ships) if able
    elsif planet.ships > CAPTURE_COST
      target = nearest_weak(game, here)
      orders << send_ships(here + 1, target + 1, planet.ships) if target
    end
  end
  orders
end

# The planet of somebody else that is best to attack from here.
def nearest_weak(game, here)
  others = game.planets.each_index.reject { |there| game.planets[there].owner == game.me }
  others.min_by do |there|
    planet = game.planets[there]
    game.distances[here * game.planet_count + there] + (planet.ships + planet.armor) / 2
  end
end
