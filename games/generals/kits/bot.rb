# Your bot. This one takes whatever it can beat, otherwise it marches to the front. Make it better!
require_relative 'protocol'

# The answer to a turn: rest, move_all(...) or move_half(...). Cells are counted from 0 here, row by row.
def choose(game)
  steps = steps_to(game, ->(cell) { cell.owner != game.me }, method(:blocked?))
  best = rest
  best_value = 0
  game.cells.each_with_index do |cell, here|
    next if cell.owner != game.me || cell.units < 2

    neighbours(game, here).each do |there|
      target = game.cells[there]
      value = 0
      next if blocked?(target)

      if target.owner == game.me
        value = cell.units if steps[there] < steps[here] # nothing to take here: march
      elsif target.units < cell.units - 1
        value = cell.units + worth(target)
      end
      next unless value > best_value

      best_value = value
      best = move_all(*[here, there].flat_map { |place| [place / game.columns + 1, place % game.columns + 1] })
    end
  end
  best
end

# Capitals first, then what belongs to somebody, then cities, then land.
def worth(cell)
  return 1_000_000 if cell.kind == CAPITAL
  return 3000 if cell.owner != 0

  cell.kind == CITY ? 2000 : 1000
end

# A hidden cell that looks like a city may as well be a mountain.
def blocked?(cell)
  cell.kind == MOUNTAIN || !cell.visible && cell.kind == CITY
end
